package io.parley.store.room;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.parley.store.room.RoomRoleRepository.Heir;
import io.parley.store.room.UnconfirmedChanges.Kind;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.annotation.Transactional;

/**
 * Adds and removes members. Both first lock the row of the room: until the transaction
 * ends, no other user joins or leaves that room, and who gets the last place is decided.
 *
 * <p>
 * A user who was removed by another user is banned. Banned users cannot join again until
 * a user who may lift the ban readmits them.
 *
 * <p>
 * The first member of an empty room is its owner. When the owner leaves, the room gets
 * another one.
 */
@Transactional
public class Memberships {

	private final RoomRepository rooms;

	private final MemberRepository members;

	private final UnconfirmedChanges changes;

	private final BanRepository bans;

	private final RestrictionRepository restrictions;

	private final RoomRoleRepository roles;

	Memberships(RoomRepository rooms, MemberRepository members, UnconfirmedChanges changes, BanRepository bans,
			RestrictionRepository restrictions, RoomRoleRepository roles) {
		this.rooms = rooms;
		this.members = members;
		this.changes = changes;
		this.bans = bans;
		this.restrictions = restrictions;
		this.roles = roles;
	}

	/**
	 * The result of a leave or a removal.
	 *
	 * @param role the role that the user had; null if the user was not a member
	 * @param heir who owns the room instead of the user; null if the owner is the same
	 */
	public record Departure(@Nullable RoomRole role, @Nullable Heir heir) {

		/** Nobody left. */
		public static final Departure NONE = new Departure(null, null);

		/** Returns whether the user was a member. */
		public boolean left() {
			return this.role != null;
		}

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
		return join(room, List.of(username), false, now).getFirst();
	}

	/**
	 * Does so for several users, for whom the room is locked once. Users who are named
	 * first get the last places. All names are sent in one statement, so pass a limited
	 * number of them.
	 * @return the results in the order of the users
	 */
	public List<Joining> joinAll(String room, List<String> usernames, Instant now) {
		return join(room, usernames, false, now);
	}

	/** Makes the user a member and lifts a ban, unless the room is full. */
	public Joining readmit(String room, String username, Instant now) {
		return join(room, List.of(username), true, now).getFirst();
	}

	private List<Joining> join(String room, List<String> usernames, boolean liftBans, Instant now) {
		Places places = this.rooms.lockPlaces(room).orElse(Places.NONE);
		Set<String> members = new HashSet<>(this.members.membersAmong(room, usernames));
		Set<String> banned = this.bans.among(room, usernames);
		List<String> joined = new ArrayList<>();
		List<Joining> results = new ArrayList<>();
		for (String username : usernames) {
			Joining joining = members.contains(username) ? Joining.ALREADY_MEMBER
					: result(places.isFullAfter(joined.size()), banned.contains(username), liftBans);
			if (joining.isNew()) {
				members.add(username);
				joined.add(username);
			}
			if (joining == Joining.READMITTED) {
				this.bans.remove(room, username);
			}
			results.add(joining);
		}
		if (!joined.isEmpty()) {
			add(room, joined, places.isEmpty(), now);
		}
		return results;
	}

	private static Joining result(boolean full, boolean banned, boolean liftBans) {
		if (banned && !liftBans) {
			return Joining.BANNED;
		}
		if (full) {
			return Joining.FULL_OR_ABSENT;
		}
		return banned ? Joining.READMITTED : Joining.JOINED;
	}

	private void add(String room, List<String> usernames, boolean firstOwns, Instant now) {
		this.rooms.addToMemberCount(room, usernames.size());
		Set<String> readers = this.restrictions.readersAmong(room, usernames);
		List<Member> added = new ArrayList<>();
		for (String username : usernames) {
			RoomRole role = readers.contains(username) ? RoomRole.READER : RoomRole.MEMBER;
			added.add(new Member(room, username, (firstOwns && added.isEmpty()) ? RoomRole.OWNER : role, now));
		}
		this.members.saveAll(added);
	}

	/** Reverts a join whose event the log rejected. */
	public void undoJoin(String room, String username, Joining joining, String by, Instant now) {
		if (removeMember(room, username).left() && joining == Joining.READMITTED) {
			this.bans.add(room, username, by, now);
		}
	}

	/**
	 * Removes a member. Records in {@link UnconfirmedChanges} that the event of the
	 * change is not in the log yet.
	 */
	public Departure leave(String room, String username, Instant now) {
		Departure departure = removeMember(room, username);
		if (departure.left()) {
			this.changes.add(room, username, Kind.LEFT, now);
		}
		return departure;
	}

	/**
	 * Does the same as {@link #leave} for a user who is removed by another user, and bans
	 * the user, even one who was not a member.
	 */
	public Departure remove(String room, String username, String by, Instant now) {
		Departure departure = leave(room, username, now);
		this.bans.add(room, username, by, now);
		return departure;
	}

	/** Returns the banned users of a room, ordered by name. */
	@Transactional(readOnly = true)
	public List<BannedUser> bansOf(String room) {
		return this.bans.of(room);
	}

	/** Lifts the ban of a user, if there is one. The user is not made a member. */
	public void liftBan(String room, String username) {
		this.rooms.lock(room);
		this.bans.remove(room, username);
	}

	/**
	 * Reverts a leave or a removal whose event the log rejected, with the role that the
	 * user had. Who owns the room since then and was given another role stays what they
	 * are.
	 * @return false if the room is full: then the user stays out
	 */
	public boolean undoLeave(String room, String username, Departure departure, Instant now) {
		Joining joining = readmit(room, username, now);
		if (joining == Joining.FULL_OR_ABSENT) {
			return false;
		}
		this.changes.remove(room, username, Kind.LEFT);
		if (joining.isNew() && departure.role() != null) {
			restoreRole(room, username, departure.role(), departure.heir());
		}
		return true;
	}

	private void restoreRole(String room, String username, RoomRole role, @Nullable Heir heir) {
		if (role != RoomRole.OWNER) {
			this.members.setRole(room, username, role);
		}
		else if (heir != null && this.roles.roleOf(room, heir.username()) == RoomRole.OWNER) {
			this.roles.change(room, heir.username(), heir.before());
			this.members.setRole(room, username, RoomRole.OWNER);
		}
	}

	private Departure removeMember(String room, String username) {
		// Lock unconditionally: an UPDATE whose condition does not match locks no row.
		this.roles.lock(room);
		RoomRole role = this.roles.roleOf(room, username);
		if (role == null) {
			return Departure.NONE;
		}
		this.members.remove(room, username);
		this.rooms.decrementMemberCount(room);
		this.changes.remove(room, username, Kind.JOINED);
		return new Departure(role, (role == RoomRole.OWNER) ? this.roles.electOwner(room) : null);
	}

}
