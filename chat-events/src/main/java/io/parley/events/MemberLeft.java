package io.parley.events;

import java.time.Instant;

/** A member left a room, or was removed by the sender. */
public record MemberLeft(String room, String id, String sender, Instant sentAt, String member) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.MEMBER_LEFT;
	}

}
