package io.parley.store.thread;

import io.parley.events.Positions;
import org.jspecify.annotations.Nullable;

/**
 * The standing of a member of the room in a thread.
 *
 * @param replied the position of the user's last reply, or that of the root for its
 * author; 0 if the user does not take part
 * @param read the position up to which the user has read the thread
 * @param choice whether the user has chosen to follow the thread, or not to; null for
 * neither
 * @param since the newest position of the room when the user chose
 */
public record ThreadStanding(long replied, long read, @Nullable Boolean choice, long since) {

	/** The standing of a user who has never seen the thread. */
	public static final ThreadStanding NONE = new ThreadStanding(Positions.NONE, Positions.NONE, null, Positions.NONE);

	/**
	 * Returns whether the user follows the thread: by choice, or by taking part in it
	 * after the last choice.
	 */
	public boolean follows() {
		boolean takesPart = this.replied != Positions.NONE;
		return (this.choice != null) ? this.choice || this.replied > this.since : takesPart;
	}

	/** Returns the position up to which everything is read: who replies has read. */
	public long readTo() {
		return Math.max(this.read, this.replied);
	}

	/** Returns the standing of a user who has also replied at that position. */
	public ThreadStanding withReply(long position) {
		return new ThreadStanding(Math.max(this.replied, position), this.read, this.choice, this.since);
	}

	ThreadStanding and(ThreadStanding other) {
		return new ThreadStanding(Math.max(this.replied, other.replied), Math.max(this.read, other.read),
				(this.choice != null) ? this.choice : other.choice, Math.max(this.since, other.since));
	}

}
