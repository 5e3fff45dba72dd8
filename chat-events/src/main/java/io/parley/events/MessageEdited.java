package io.parley.events;

import java.time.Instant;

/**
 * The author of a message replaced its text. Stored in record format 2 only.
 *
 * @param target the position of the message
 * @param text the whole new text
 * @param thread the root of the thread of the message, or 0
 */
public record MessageEdited(String room, String id, String sender, String clientId, Instant sentAt, long target,
		String text, long thread) implements RoomEvent {

	/** Creates an edit of a message of the room. */
	public MessageEdited(String room, String id, String sender, String clientId, Instant sentAt, long target,
			String text) {
		this(room, id, sender, clientId, sentAt, target, text, Positions.NONE);
	}

	@Override
	public EventType type() {
		return EventType.MESSAGE_EDITED;
	}

}
