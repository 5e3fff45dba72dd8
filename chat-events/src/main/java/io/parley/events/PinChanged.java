package io.parley.events;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message was pinned in its room, or is no longer pinned. Stored in record format 2
 * only.
 *
 * @param clientId null if the sender gave none
 * @param target the position of the message
 * @param on whether the message is pinned from now on
 * @param thread the root of the thread of the message, or 0
 */
public record PinChanged(String room, String id, String sender, @Nullable String clientId, Instant sentAt, long target,
		boolean on, long thread) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.PIN_CHANGED;
	}

}
