package io.parley.server.room;

/**
 * Decides in which rooms a join is no event of the log: in those of more than 1,000
 * members. Each member would receive each of these events.
 */
public final class LargeRooms {

	private static final int MIN_MEMBERS = 1_001;

	private LargeRooms() {
	}

	/** Returns whether a room with so many members is large. */
	public static boolean isLarge(int members) {
		return members >= MIN_MEMBERS;
	}

}
