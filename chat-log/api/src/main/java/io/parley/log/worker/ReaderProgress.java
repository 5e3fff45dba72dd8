package io.parley.log.worker;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far the reader of one partition is: told by its thread, asked for by any. It stays
 * where it is while the reader fails, so nobody takes a reader in trouble for one that
 * has read everything.
 */
final class ReaderProgress {

	private static final long NOT_ACTIVE = -1;

	private long next = NOT_ACTIVE;

	private @Nullable Instant oldest;

	/** It is the active reader and reads on from an offset. */
	synchronized void beginAt(long offset) {
		if (offset != this.next) {
			this.oldest = null;
		}
		this.next = offset;
	}

	/** It is the active reader, but can't learn where to begin: counts from here on. */
	synchronized void beginAtLatest(long end) {
		if (this.next == NOT_ACTIVE) {
			this.next = end;
		}
	}

	/** Another reader is the active one and counts what is unread. */
	synchronized void standBy() {
		this.next = NOT_ACTIVE;
		this.oldest = null;
	}

	/**
	 * The records from the next offset on are being handled.
	 * @param writtenAt when the first was written, null when that is not known
	 */
	synchronized void handling(@Nullable Instant writtenAt) {
		this.oldest = writtenAt;
	}

	/**
	 * The records below an offset are handled.
	 * @param writtenAt when the last was written, null when that is not known
	 * @param end the offset after the newest record
	 */
	synchronized void handled(long offset, @Nullable Instant writtenAt, long end) {
		this.next = offset;
		// The next record is hardly newer, if it was there already.
		this.oldest = (end > offset) ? writtenAt : null;
	}

	/**
	 * How many records are unread.
	 * @param end the offset after the newest record
	 */
	synchronized long lag(long end) {
		return (this.next != NOT_ACTIVE) ? Math.max(0, end - this.next) : 0;
	}

	/**
	 * How old the oldest unread record is. Of one that came while the reader was not
	 * reading, nobody knows: its age counts from the first time that it is asked for.
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
