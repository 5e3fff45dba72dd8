package io.parley.log.worker;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The progress of the reader of one partition. Updated by the reader's thread, queried by
 * any thread. The progress does not change while the reader fails, so a failing reader is
 * not mistaken for one that has read everything.
 */
final class ReaderProgress {

	private static final long NOT_ACTIVE = -1;

	private long next = NOT_ACTIVE;

	private @Nullable Instant oldest;

	/** Marks the reader as active, reading from an offset. */
	synchronized void beginAt(long offset) {
		if (offset != this.next) {
			this.oldest = null;
		}
		this.next = offset;
	}

	/**
	 * Marks the reader as active although its start offset can't be determined; the lag
	 * counts from the end of the log.
	 */
	synchronized void beginAtLatest(long end) {
		if (this.next == NOT_ACTIVE) {
			this.next = end;
		}
	}

	/**
	 * Marks the reader as inactive: another reader is active and counts the unread
	 * records.
	 */
	synchronized void standBy() {
		this.next = NOT_ACTIVE;
		this.oldest = null;
	}

	/**
	 * Notes that the records from the next offset are being handled.
	 * @param writtenAt when the first record was written, null if this is not known
	 */
	synchronized void handling(@Nullable Instant writtenAt) {
		this.oldest = writtenAt;
	}

	/**
	 * Notes that the records below an offset are handled.
	 * @param writtenAt when the last record was written, null if this is not known
	 * @param end the offset after the newest record
	 */
	synchronized void handled(long offset, @Nullable Instant writtenAt, long end) {
		this.next = offset;
		// A next record that is there already is about as old as the last one.
		this.oldest = (end > offset) ? writtenAt : null;
	}

	/**
	 * Returns how many records are unread.
	 * @param end the offset after the newest record
	 */
	synchronized long lag(long end) {
		return (this.next != NOT_ACTIVE) ? Math.max(0, end - this.next) : 0;
	}

	/**
	 * Returns the age of the oldest unread record. If it arrived while the reader was not
	 * reading, its time is unknown; its age then counts from the first call that finds
	 * it.
	 * @param end the offset after the newest record
	 */
	synchronized Duration oldestUnread(long end, Instant now) {
		if (lag(end) == 0) {
			return Duration.ZERO;
		}
		if (this.oldest == null) {
			this.oldest = now;
		}
		Duration age = Duration.between(this.oldest, now);
		return age.isPositive() ? age : Duration.ZERO;
	}

}
