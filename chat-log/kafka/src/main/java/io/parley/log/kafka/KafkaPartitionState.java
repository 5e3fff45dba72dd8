package io.parley.log.kafka;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/** What this process knows of a partition without asking. */
final class KafkaPartitionState {

	/** More than a partition has under way at once, unless its brokers are in trouble. */
	private static final int RECENT = 1024;

	private final AtomicLong end = new AtomicLong();

	/** The offsets that were confirmed last, each at its place modulo the length. */
	private final long[] recent = new long[RECENT];

	private volatile long start;

	private volatile @Nullable String trouble;

	private volatile boolean wentBack;

	KafkaPartitionState() {
		Arrays.fill(this.recent, -1);
	}

	long start() {
		return this.start;
	}

	long end() {
		return this.end.get();
	}

	/** Why appends would fail, null when they would not. */
	@Nullable String trouble() {
		return this.trouble;
	}

	void startAt(long offset) {
		this.start = offset;
	}

	/** Never goes back. */
	void endAt(long offset) {
		this.end.accumulateAndGet(offset, Math::max);
	}

	void trouble(@Nullable String sentence) {
		this.trouble = sentence;
	}

	/**
	 * An append was confirmed. Appends that are under way together may be confirmed in
	 * any order.
	 * @param endWhenSent the {@link #end()} when the record was sent
	 * @return false when the offset was given out before: this is another log
	 */
	synchronized boolean confirm(long offset, long endWhenSent) {
		int place = (int) (offset % RECENT);
		if (offset < endWhenSent || this.recent[place] == offset) {
			this.wentBack = true;
			return false;
		}
		this.recent[place] = offset;
		endAt(offset + 1);
		return true;
	}

	/** Records that were seen are certainly gone. */
	void goneBack() {
		this.wentBack = true;
	}

	boolean wentBack() {
		return this.wentBack;
	}

}
