package io.parley.events;

import java.util.ArrayList;
import java.util.List;

/**
 * The thread of a message.
 *
 * @param number the number of the last reply; deleted ones are counted
 * @param deleted the number of deleted replies
 * @param last the position of the last reply; 0 if there is none
 * @param users those who replied last, the last one first
 */
public record ThreadState(long number, long deleted, long last, List<String> users) {

	/** The number of users who are named. */
	public static final int MAX_USERS = 5;

	/** The thread of a message without replies. */
	public static final ThreadState NONE = new ThreadState(0, 0, 0, List.of());

	public ThreadState {
		users = List.copyOf(users);
	}

	/** Returns the number of replies that are not deleted. */
	public long replies() {
		return Math.max(0, this.number - this.deleted);
	}

	ThreadState withReply(long position, String sender) {
		List<String> newest = new ArrayList<>(this.users);
		newest.remove(sender);
		newest.addFirst(sender);
		return new ThreadState(this.number + 1, this.deleted, Math.max(this.last, position),
				newest.subList(0, Math.min(newest.size(), MAX_USERS)));
	}

	ThreadState withDeletedReply() {
		return new ThreadState(this.number, this.deleted + 1, this.last, this.users);
	}

}
