package io.parley.log.kafka;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/** The state of a partition as known without asking the brokers. */
final class KafkaPartitionState {

	/**
	 * More appends than a partition has in flight at once, unless its brokers are
	 * failing.
	 */
	private static final int RECENT = 1024;

	private final AtomicLong end = new AtomicLong();

	/** The offsets that were confirmed last, each at its index modulo the length. */
	private final long[] recent = new long[RECENT];

	private volatile long start;

	private volatile @Nullable String unavailableReason;

	private volatile boolean truncated;

	KafkaPartitionState() {
		Arrays.fill(this.recent, -1);
	}

	long start() {
		return this.start;
	}

	long end() {
		return this.end.get();
	}

	/** Returns why appends would fail, or null. */
	@Nullable String unavailableReason() {
		return this.unavailableReason;
	}

	void startAt(long offset) {
		this.start = offset;
	}

	/** Advances the end; never moves it back. */
	void endAt(long offset) {
		this.end.accumulateAndGet(offset, Math::max);
	}

	void unavailableReason(@Nullable String sentence) {
		this.unavailableReason = sentence;
	}

	/**
	 * Notes that an append was confirmed. Appends that are in flight together may be
	 * confirmed in any order.
	 * @param endWhenSent the {@link #end()} when the record was sent
	 * @return false if the offset was assigned before, which means that this is another
	 * log
	 */
	synchronized boolean confirm(long offset, long endWhenSent) {
		int index = (int) (offset % RECENT);
		if (offset < endWhenSent || this.recent[index] == offset) {
			this.truncated = true;
			return false;
		}
		this.recent[index] = offset;
		endAt(offset + 1);
		return true;
	}

	/** Notes that known records are certainly gone. */
	void markTruncated() {
		this.truncated = true;
	}

	boolean isTruncated() {
		return this.truncated;
	}

}
