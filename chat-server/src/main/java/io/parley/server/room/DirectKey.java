package io.parley.server.room;

/**
 * The key of a direct room. It does not depend on which of the two users opens the room.
 */
final class DirectKey {

	private static final String SEPARATOR = ":";

	private DirectKey() {
	}

	static String of(String one, String other) {
		return (one.compareTo(other) < 0) ? one + SEPARATOR + other : other + SEPARATOR + one;
	}

	/** Returns the two users. */
	static String[] users(String key) {
		return key.split(SEPARATOR, 2);
	}

}
