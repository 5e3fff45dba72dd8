package io.parley.store.room;

import java.time.Instant;

import org.springframework.transaction.annotation.Transactional;

/**
 * Joining and leaving. Both change the room's row first, by one conditional statement:
 * the database decides who gets the last place, and until the transaction ends nobody
 * else joins or leaves that room.
 */
@Transactional
public class Memberships {

	private final RoomRepository rooms;

	private final MemberRepository members;

	Memberships(RoomRepository rooms, MemberRepository members) {
		this.rooms = rooms;
		this.members = members;
	}

	/** How a join ended. */
	public enum Joining {

		/** The user is a member now. */
		JOINED,

		/** Nothing changed: the user was one before. */
		ALREADY_MEMBER,

		/** No place was left, or there is no such room. */
		FULL_OR_ABSENT

	}

	/** Makes the user a member if there is a place. */
	public Joining join(String room, String username, Instant now) {
		boolean place = this.rooms.takePlace(room) == 1;
		if (this.members.existsByRoomIdAndUsername(room, username)) {
			if (place) {
				this.rooms.freePlace(room);
			}
			return Joining.ALREADY_MEMBER;
		}
		if (!place) {
			return Joining.FULL_OR_ABSENT;
		}
		this.members.save(new Member(room, username, now));
		return Joining.JOINED;
	}

	/** Whether the user was a member and is none any more. */
	public boolean leave(String room, String username) {
		boolean freed = this.rooms.freePlace(room) == 1;
		boolean left = this.members.remove(room, username) == 1;
		if (freed && !left) {
			this.rooms.takePlace(room);
		}
		return left;
	}

}
