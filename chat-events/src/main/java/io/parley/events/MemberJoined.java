package io.parley.events;

import java.time.Instant;

/** A member joined a room, or was added by the sender. */
public record MemberJoined(String room, String id, String sender, Instant sentAt, String member) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.MEMBER_JOINED;
	}

}
