package io.parley.store.room;

import java.time.Instant;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.data.domain.Limit;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores the roles of members and what was taken from them. {@link #lock} comes first;
 * until the transaction ends, nobody else changes a member of that room.
 */
@Transactional
public class RoomRoleRepository {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final RestrictionRepository restrictions;

	RoomRoleRepository(RoomRepository rooms, MemberRepository members, RestrictionRepository restrictions) {
		this.rooms = rooms;
		this.members = members;
		this.restrictions = restrictions;
	}

	/**
	 * Locks a room. A room that a server of an earlier version has created has no owner
	 * yet: then its creator becomes the owner, or who follows.
	 */
	public void lock(String room) {
		this.rooms.lock(room);
		if (!hasOwner(room)) {
			this.rooms.findById(room)
				.filter((found) -> found.getKind() != RoomKind.DIRECT)
				.ifPresent((found) -> elect(room, found.getCreatedBy(), ""));
		}
	}

	/** Returns whether a room has an owner. */
	public boolean hasOwner(String room) {
		return this.members.existsByRoomIdAndRole(room, RoomRole.OWNER);
	}

	/** Returns the role of a member, or null if the user is not a member. */
	public @Nullable RoomRole roleOf(String room, String username) {
		return this.members.roleOf(room, username).orElse(null);
	}

	/** Returns until when a user is muted, or null. */
	public @Nullable Instant mutedUntil(String room, String username) {
		return this.members.standingOf(room, username).map(Standing::mutedUntil).orElse(null);
	}

	/**
	 * Gives a member another role. An owner is no longer muted. The caller sees to it
	 * that the room has one owner.
	 */
	public void change(String room, String username, RoomRole role) {
		this.members.setRole(room, username, role);
		this.restrictions.change(room, username, (restriction) -> {
			restriction.setReader(role == RoomRole.READER);
			if (role == RoomRole.OWNER) {
				restriction.setMutedUntil(null);
			}
		});
	}

	/** Mutes a user until that time, or unmutes the user. */
	public void mute(String room, String username, @Nullable Instant until) {
		this.restrictions.change(room, username, (restriction) -> restriction.setMutedUntil(until));
	}

	/**
	 * Makes a member the owner of a room without one: the moderator who joined first,
	 * else the member, else the reader.
	 * @return the new owner; null if the room has no members
	 */
	public @Nullable Heir electOwner(String room) {
		return elect(room, "", "");
	}

	/**
	 * Makes another member the owner, and the owner a member. Does nothing if the user
	 * does not own the room or is its only member.
	 * @return the new owner, or null if it is the same
	 */
	public @Nullable Heir passOn(String room, String owner) {
		if (roleOf(room, owner) != RoomRole.OWNER) {
			return null;
		}
		Heir heir = elect(room, "", owner);
		if (heir != null) {
			change(room, owner, RoomRole.MEMBER);
		}
		return heir;
	}

	private @Nullable Heir elect(String room, String preferred, String except) {
		List<Member> first = this.members.successors(room, preferred, except, Limit.of(1));
		if (first.isEmpty()) {
			return null;
		}
		Heir heir = new Heir(first.getFirst().getUsername(), first.getFirst().getRole());
		change(room, heir.username(), RoomRole.OWNER);
		return heir;
	}

	/** The next owner, with the previous role. */
	public record Heir(String username, RoomRole before) {
	}

}
