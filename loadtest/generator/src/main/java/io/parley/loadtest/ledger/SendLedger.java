package io.parley.loadtest.ledger;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The outcome of every message of a run, as its senders know it. Safe for use by many
 * threads.
 */
public final class SendLedger {

	/** The room of each message that was sent at least once. */
	private final Map<Long, String> attempted = new ConcurrentHashMap<>();

	private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();

	private final Set<Long> repeated = ConcurrentHashMap.newKeySet();

	final LongAdder rejected = new LongAdder();

	private long lastReceipt;

	private long longestPause;

	void attempted(long sequence, String room) {
		if (this.attempted.putIfAbsent(sequence, room) == null && sequence == 0) {
			pauseUntil(System.nanoTime());
		}
	}

	/**
	 * Marks a message whose outcome is unknown. It is sent again under the same client
	 * id.
	 */
	void unknown(long sequence) {
		this.repeated.add(sequence);
	}

	void acknowledged(long sequence) {
		if (this.acknowledged.add(sequence)) {
			pauseUntil(System.nanoTime());
		}
	}

	private synchronized void pauseUntil(long now) {
		if (this.lastReceipt != 0) {
			this.longestPause = Math.max(this.longestPause, now - this.lastReceipt);
		}
		this.lastReceipt = now;
	}

	Map<Long, String> attempted() {
		return Map.copyOf(this.attempted);
	}

	Set<Long> acknowledged() {
		return Set.copyOf(this.acknowledged);
	}

	Set<Long> repeated() {
		return Set.copyOf(this.repeated);
	}

	/**
	 * Returns the longest time in which no sender got a receipt while at least one was
	 * waiting.
	 */
	synchronized long longestPauseMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.longestPause);
	}

}
