package io.parley.store.room;

import org.jspecify.annotations.Nullable;

/**
 * How many members a room has, and how many it may have.
 *
 * @param capacity null for no limit
 */
record Places(int members, @Nullable Integer capacity) {

	/** Of a room that does not exist. */
	static final Places NONE = new Places(0, 0);

	boolean isEmpty() {
		return this.members == 0;
	}

	/** Returns whether the room is full once that many users have joined. */
	boolean isFullAfter(int joined) {
		return this.capacity != null && this.members + joined >= this.capacity;
	}

}
