package io.parley.events;

import java.time.Instant;

/**
 * The role of a member changed. Stored in record format 2 only.
 *
 * @param role the name of the new role: {@code owner}, {@code moderator}, {@code member}
 * or {@code reader}
 */
public record MemberRole(String room, String id, String sender, Instant sentAt, String member,
		String role) implements RoomEvent {

	@Override
	public EventType type() {
		return EventType.MEMBER_ROLE;
	}

}
