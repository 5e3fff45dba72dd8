package io.parley.loadtest.ledger;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;

/**
 * The messages that one user has to send, oldest first, until the server has confirmed
 * them. Not safe for concurrent use.
 */
final class Outbox {

	private static final int MAX_IN_FLIGHT = 40;

	/** Longer than the time that the server itself waits for its log. */
	private static final long ANSWER_TIMEOUT = TimeUnit.SECONDS.toNanos(20);

	private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

	private static final Set<String> RETRYABLE = Set.of("rate-limited", "log-unavailable", "append-unknown",
			"server-busy", "internal");

	private final String room;

	private final SendLedger ledger;

	private final TreeMap<Long, LoadMessage> waiting = new TreeMap<>();

	private final Map<Long, Sent> inFlight = new HashMap<>();

	private long pausedUntil = System.nanoTime();

	private record Sent(LoadMessage message, long at) {
	}

	Outbox(String room, SendLedger ledger) {
		this.room = room;
		this.ledger = ledger;
	}

	void add(LoadMessage message) {
		this.waiting.put(message.sequence(), message);
	}

	boolean isEmpty() {
		return this.waiting.isEmpty() && this.inFlight.isEmpty();
	}

	/**
	 * Returns the next message that may be sent now, or null. The message counts as in
	 * flight from this call on.
	 */
	@Nullable LoadMessage next(long now) {
		if (this.waiting.isEmpty() || this.inFlight.size() >= MAX_IN_FLIGHT || now - this.pausedUntil < 0) {
			return null;
		}
		LoadMessage message = this.waiting.pollFirstEntry().getValue();
		this.inFlight.put(message.sequence(), new Sent(message, now));
		this.ledger.attempted(message.sequence(), this.room);
		return message;
	}

	void confirmed(long sequence) {
		this.inFlight.remove(sequence);
		this.waiting.remove(sequence);
		this.ledger.acknowledged(sequence);
	}

	/**
	 * Handles a rejection by the server: schedules a retry after a pause if the error
	 * code is retryable.
	 */
	void rejected(long sequence, String code, long now) {
		Sent sent = this.inFlight.remove(sequence);
		this.ledger.rejected.increment();
		if (sent == null || !RETRYABLE.contains(code)) {
			return;
		}
		if (!code.equals("rate-limited") && !code.equals("log-unavailable")) {
			this.ledger.unknown(sequence);
		}
		this.waiting.put(sequence, sent.message());
		this.pausedUntil = now + PAUSE;
	}

	/**
	 * Requeues all messages in flight after a lost connection, because their outcome is
	 * unknown.
	 */
	void connectionLost() {
		this.inFlight.values().forEach(this::requeue);
		this.inFlight.clear();
	}

	void expire(long now) {
		this.inFlight.values().removeIf((sent) -> {
			boolean late = now - sent.at() > ANSWER_TIMEOUT;
			if (late) {
				requeue(sent);
			}
			return late;
		});
	}

	private void requeue(Sent sent) {
		this.ledger.unknown(sent.message().sequence());
		this.waiting.put(sent.message().sequence(), sent.message());
	}

}
