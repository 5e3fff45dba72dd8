package io.parley.events;

import java.time.Instant;

/** A member came into a room, by themselves or brought in by the sender. */
public record MemberJoined(String room, String id, String sender, Instant sentAt, String member) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.MEMBER_JOINED;
	}

}
