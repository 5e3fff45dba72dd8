package io.parley.server.message;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.parley.server.message.ReactionWriter.Waiting;
import io.parley.server.message.ReactionWriter.Written;
import org.jspecify.annotations.Nullable;

/**
 * The changes of reactions to one message that wait, and the last record of them that
 * this server wrote. Not safe for use by many threads.
 */
class ReactionGathering {

	/** The time between two records. */
	static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

	/** Lets servers that wait for the same message write at different times. */
	private static final long MAX_JITTER_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

	/** Changes in one record, some 250 KB. */
	private static final int MAX_CHANGES = 4_000;

	private List<Waiting> changes = new ArrayList<>();

	/** When the oldest of them came. */
	private long since;

	private long jitter;

	private boolean writing;

	/** The last record from here, to be checked for others that crossed it. */
	private @Nullable Written own;

	/** When it was confirmed; null for never. */
	private @Nullable Long ownAt;

	/** The positions of the records that were read since the last batch was taken. */
	private final Set<Long> read = new HashSet<>();

	/**
	 * Changes to be written.
	 *
	 * @param own the last record that this server has written, or null
	 * @param crossed whether that record has crossed one of another server, and is the
	 * newest
	 */
	record Batch(List<Waiting> changes, @Nullable Written own, boolean crossed) {
	}

	/** Adds a change. Returns false if too many wait. */
	boolean add(Waiting change) {
		if (this.changes.size() >= MAX_CHANGES) {
			return false;
		}
		if (this.changes.isEmpty()) {
			this.since = System.nanoTime();
			this.jitter = ThreadLocalRandom.current().nextLong(MAX_JITTER_NANOS);
		}
		this.changes.add(change);
		return true;
	}

	/** Returns whether the change that was added last must be scheduled. */
	boolean isFirst() {
		return isWaiting() && this.changes.size() == 1;
	}

	/** Returns whether changes wait to be written. */
	boolean isWaiting() {
		return !this.writing && !this.changes.isEmpty();
	}

	/**
	 * Returns how long the changes must wait.
	 * @param newest when the newest record of any server was seen, or null for long ago
	 */
	long waitNanos(@Nullable Long newest) {
		long now = System.nanoTime();
		long wait = (newest != null)
				? Math.min(newest + PAUSE_NANOS + this.jitter - now, this.since + PAUSE_NANOS + MAX_JITTER_NANOS - now)
				: 0;
		Long last = this.ownAt;
		return (last != null) ? Math.max(wait, last + PAUSE_NANOS - now) : wait;
	}

	/** Takes all changes; {@link #written} must follow. */
	Batch take() {
		Batch batch = new Batch(this.changes, this.own, crossed());
		this.changes = new ArrayList<>();
		this.read.clear();
		this.writing = true;
		return batch;
	}

	/**
	 * Ends the writing of a batch.
	 * @param written the record, or null if there is none
	 */
	void written(@Nullable Written written) {
		this.writing = false;
		this.own = written;
		if (written != null) {
			this.ownAt = System.nanoTime();
		}
	}

	/** Records that a record of any server was read from the log. */
	void seen(long position) {
		this.read.add(position);
	}

	/** Returns whether nothing was added or written since that record. */
	boolean isQuietSince(Written written) {
		return this.own == written && !this.writing && this.changes.isEmpty();
	}

	/** Returns whether the last record from here was not read back yet. */
	boolean readsBack() {
		Written written = this.own;
		return written != null && this.read.stream().noneMatch((position) -> position >= written.position());
	}

	/** Returns whether the last record from here is the newest and crossed another. */
	boolean crossed() {
		Written written = this.own;
		return written != null
				&& this.read.stream().anyMatch((position) -> position > written.base() && position < written.position())
				&& this.read.stream().noneMatch((position) -> position > written.position());
	}

}
