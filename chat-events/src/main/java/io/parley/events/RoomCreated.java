package io.parley.events;

import java.time.Instant;
import java.util.List;

/** A room was created. This is the first event of each room. */
public record RoomCreated(String room, String id, String sender, Instant sentAt, String name, String kind,
		List<String> members) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.ROOM_CREATED;
	}

}
