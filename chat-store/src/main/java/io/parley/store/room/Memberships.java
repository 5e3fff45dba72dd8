package io.parley.store.room;

import java.time.Instant;

import io.parley.store.room.UnconfirmedChanges.Kind;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Adds and removes members. Both first lock the row of the room; a join does so with one
 * conditional update, by which the database decides who gets the last place. Until the
 * transaction ends, no other user joins or leaves that room.
 *
 * <p>
 * A user who was removed by another user is banned. Banned users cannot join again until
 * a user who may lift the ban readmits them.
 */
@Transactional
public class Memberships {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final UnconfirmedChanges changes;

	private final BanRepository bans;

	Memberships(RoomRepository rooms, MemberRepository members, UnconfirmedChanges changes, JdbcTemplate jdbc) {
		this.rooms = rooms;
		this.members = members;
		this.changes = changes;
		this.bans = new BanRepository(jdbc);
	}

	/** The result of a join. */
	public enum Joining {

		/** The user is a member now. */
		JOINED,

		/** The user is a member now and is no longer banned. */
		READMITTED,

		/** Nothing changed: the user was a member before. */
		ALREADY_MEMBER,

		/** Nothing changed: the user is banned. */
		BANNED,

		/** Nothing changed: the room is full or does not exist. */
		FULL_OR_ABSENT;

		/** Returns whether the join made the user a member. */
		public boolean isNew() {
			return this == JOINED || this == READMITTED;
		}

	}

	/** Makes the user a member, unless the room is full or the user is banned. */
	public Joining join(String room, String username, Instant now) {
		return join(room, username, false, now);
	}

	/** Makes the user a member and lifts a ban, unless the room is full. */
	public Joining readmit(String room, String username, Instant now) {
		return join(room, username, true, now);
	}

	private Joining join(String room, String username, boolean liftBan, Instant now) {
		boolean counted = this.rooms.incrementMemberCount(room) == 1;
		Joining joining = result(room, username, liftBan, counted);
		if (joining == Joining.READMITTED) {
			this.bans.remove(room, username);
		}
		if (joining.isNew()) {
			this.members.save(new Member(room, username, now));
		}
		else if (counted) {
			this.rooms.decrementMemberCount(room);
		}
		return joining;
	}

	private Joining result(String room, String username, boolean liftBan, boolean counted) {
		if (this.members.existsByRoomIdAndUsername(room, username)) {
			return Joining.ALREADY_MEMBER;
		}
		boolean banned = this.bans.contains(room, username);
		if (banned && !liftBan) {
			return Joining.BANNED;
		}
		if (!counted) {
			return Joining.FULL_OR_ABSENT;
		}
		return banned ? Joining.READMITTED : Joining.JOINED;
	}

	/** Reverts a join whose event the log rejected. */
	public void undoJoin(String room, String username, Joining joining, String by, Instant now) {
		if (removeMember(room, username) && joining == Joining.READMITTED) {
			this.bans.add(room, username, by, now);
		}
	}

	/**
	 * Removes a member. Records in {@link UnconfirmedChanges} that the event of the
	 * change is not in the log yet.
	 * @return whether the user was a member
	 */
	public boolean leave(String room, String username, Instant now) {
		boolean left = removeMember(room, username);
		if (left) {
			this.changes.add(room, username, Kind.LEFT, now);
		}
		return left;
	}

	/**
	 * Does the same as {@link #leave} for a user who is removed by another user, and bans
	 * the user, even one who was not a member.
	 * @return whether the user was a member
	 */
	public boolean remove(String room, String username, String by, Instant now) {
		boolean left = leave(room, username, now);
		this.bans.add(room, username, by, now);
		return left;
	}

	/**
	 * Reverts a leave or a removal whose event the log rejected.
	 * @return false if the room is full: then the user stays out
	 */
	public boolean undoLeave(String room, String username, Instant now) {
		boolean readmitted = readmit(room, username, now) != Joining.FULL_OR_ABSENT;
		if (readmitted) {
			this.changes.remove(room, username, Kind.LEFT);
		}
		return readmitted;
	}

	private boolean removeMember(String room, String username) {
		// Lock unconditionally: an UPDATE whose condition does not match locks no row.
		this.rooms.lock(room);
		boolean left = this.members.remove(room, username) == 1;
		if (left) {
			this.rooms.decrementMemberCount(room);
			this.changes.remove(room, username, Kind.JOINED);
		}
		return left;
	}

}
