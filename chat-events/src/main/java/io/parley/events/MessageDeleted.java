package io.parley.events;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message was deleted. Stored in record format 2 only.
 *
 * @param target the position of the message
 * @param as the right by which it was deleted: {@code author} or {@code moderator}
 * @param reason for everybody in the room; null for none
 */
public record MessageDeleted(String room, String id, String sender, String clientId, Instant sentAt, long target,
		String as, @Nullable String reason) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.MESSAGE_DELETED;
	}

}
