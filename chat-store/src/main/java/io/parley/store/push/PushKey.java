package io.parley.store.push;

import io.parley.events.Positions;

/**
 * The subject of tasks and decisions: a user in a room or thread.
 *
 * @param thread the root of the thread, or 0 for messages of the room itself
 */
public record PushKey(String username, String room, long thread) {

	/** Creates the key of messages of the room itself. */
	public PushKey(String username, String room) {
		this(username, room, Positions.NONE);
	}

}
