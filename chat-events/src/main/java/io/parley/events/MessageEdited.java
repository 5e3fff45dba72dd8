package io.parley.events;

import java.time.Instant;

/**
 * The author of a message replaced its text. Stored in record format 2 only.
 *
 * @param target the position of the message
 * @param text the whole new text
 */
public record MessageEdited(String room, String id, String sender, String clientId, Instant sentAt, long target,
		String text) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.MESSAGE_EDITED;
	}

}
