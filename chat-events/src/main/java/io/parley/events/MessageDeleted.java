package io.parley.events;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message was deleted. Stored in record format 2 only.
 *
 * @param target the position of the message
 * @param as the right by which it was deleted: {@code author} or {@code moderator}
 * @param reason for everybody in the room; null for none
 * @param thread the root of the thread of the message, or 0
 */
public record MessageDeleted(String room, String id, String sender, String clientId, Instant sentAt, long target,
		String as, @Nullable String reason, long thread) implements RoomEvent {

	/** Creates a deletion of a message of the room. */
	public MessageDeleted(String room, String id, String sender, String clientId, Instant sentAt, long target,
			String as, @Nullable String reason) {
		this(room, id, sender, clientId, sentAt, target, as, reason, Positions.NONE);
	}

	@Override
	public EventType type() {
		return EventType.MESSAGE_DELETED;
	}

}
