package io.parley.log.kafka;

import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;

/** What this process knows of a partition without asking. */
final class PartitionTail {

	private final AtomicLong end = new AtomicLong();

	private volatile long start;

	private volatile @Nullable String trouble;

	private volatile boolean wentBack;

	private long confirmed = -1;

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
	 * An append was confirmed, by one thread at a time and in order.
	 * @return false when the offset was given out before: this is another log
	 */
	boolean confirm(long offset) {
		if (offset <= this.confirmed) {
			this.wentBack = true;
			return false;
		}
		this.confirmed = offset;
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
