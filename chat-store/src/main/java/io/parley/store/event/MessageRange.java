package io.parley.store.event;

import io.parley.events.EventType;
import io.parley.events.Positions;

/**
 * Messages of others in a room or thread, from one position to another.
 *
 * @param reader the user whose own messages are left out
 * @param thread the root of the thread, or 0 for messages of the room itself
 */
public record MessageRange(String room, long first, long last, String reader, long thread) {

	/** Creates a range of messages of the room itself. */
	public MessageRange(String room, long first, long last, String reader) {
		this(room, first, last, reader, Positions.NONE);
	}

	EventType type() {
		return (this.thread != Positions.NONE) ? EventType.THREAD_POSTED : EventType.MESSAGE_POSTED;
	}

}
