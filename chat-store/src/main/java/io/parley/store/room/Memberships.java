package io.parley.store.room;

import java.time.Instant;

import io.parley.store.room.UnconfirmedChanges.Kind;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/**
 * Joining and leaving. Both lock the room's row first: a join by one conditional
 * statement, with which the database decides who gets the last place. Until the
 * transaction ends nobody else joins or leaves that room.
 *
 * <p>
 * A user who was removed by somebody else is banned: they do not join again until
 * somebody who may lift the ban lets them in.
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

	/** How a join ended. */
	public enum Joining {

		/** The user is a member now. */
		JOINED,

		/** The user is a member now and no longer banned. */
		READMITTED,

		/** Nothing changed: the user was one before. */
		ALREADY_MEMBER,

		/** Nothing changed: the user is banned. */
		BANNED,

		/** No place was left, or there is no such room. */
		FULL_OR_ABSENT;

		/** Whether the user was no member before and is one now. */
		public boolean isNew() {
			return this == JOINED || this == READMITTED;
		}

	}

	/** Makes the user a member if there is a place and they are not banned. */
	public Joining join(String room, String username, Instant now) {
		return join(room, username, false, now);
	}

	/** Makes the user a member if there is a place, and lifts a ban. */
	public Joining readmit(String room, String username, Instant now) {
		return join(room, username, true, now);
	}

	private Joining join(String room, String username, boolean lift, Instant now) {
		boolean place = this.rooms.takePlace(room) == 1;
		Joining joining = joining(room, username, lift, place);
		if (joining == Joining.READMITTED) {
			this.bans.remove(room, username);
		}
		if (joining.isNew()) {
			this.members.save(new Member(room, username, now));
		}
		else if (place) {
			this.rooms.freePlace(room);
		}
		return joining;
	}

	private Joining joining(String room, String username, boolean lift, boolean place) {
		if (this.members.existsByRoomIdAndUsername(room, username)) {
			return Joining.ALREADY_MEMBER;
		}
		boolean banned = this.bans.contains(room, username);
		if (banned && !lift) {
			return Joining.BANNED;
		}
		if (!place) {
			return Joining.FULL_OR_ABSENT;
		}
		return banned ? Joining.READMITTED : Joining.JOINED;
	}

	/** Takes back a join whose event the log refused. */
	public void undoJoin(String room, String username, Joining joining, String by, Instant now) {
		if (takeOut(room, username) && joining == Joining.READMITTED) {
			this.bans.add(room, username, by, now);
		}
	}

	/**
	 * Lets a user go, and notes in {@link UnconfirmedChanges} that the log is to be told.
	 * @return whether the user was a member and is none any more
	 */
	public boolean leave(String room, String username, Instant now) {
		boolean left = takeOut(room, username);
		if (left) {
			this.changes.add(room, username, Kind.LEFT, now);
		}
		return left;
	}

	/**
	 * The same for a user who is removed by somebody else. Afterwards the user is banned,
	 * also when they were no member.
	 */
	public boolean remove(String room, String username, String by, Instant now) {
		boolean left = leave(room, username, now);
		this.bans.add(room, username, by, now);
		return left;
	}

	/**
	 * Takes back a leave or a removal whose event the log refused.
	 * @return false when there is no place any more: then the user stays out
	 */
	public boolean undoLeave(String room, String username, Instant now) {
		boolean back = readmit(room, username, now) != Joining.FULL_OR_ABSENT;
		if (back) {
			this.changes.remove(room, username, Kind.LEFT);
		}
		return back;
	}

	private boolean takeOut(String room, String username) {
		// Unconditional: an UPDATE whose condition does not match locks no row.
		this.rooms.lock(room);
		boolean left = this.members.remove(room, username) == 1;
		if (left) {
			this.rooms.freePlace(room);
			this.changes.remove(room, username, Kind.JOINED);
		}
		return left;
	}

}
