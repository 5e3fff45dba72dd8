package io.parley.events;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The name, the topic or the settings of a room changed. Each value is null if it has not
 * changed. Stored in record format 2 only.
 *
 * @param topic empty if the room has none from now on
 * @param slowMode the seconds between two messages of a member; 0 for none
 * @param memberPins whether members may pin messages
 */
public record RoomChanged(String room, String id, String sender, Instant sentAt, @Nullable String name,
		@Nullable String topic, @Nullable Integer slowMode, @Nullable Boolean memberPins) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.ROOM_CHANGED;
	}

}
