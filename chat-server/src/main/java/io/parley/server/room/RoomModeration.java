package io.parley.server.room;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.parley.server.error.ErrorCode;
import io.parley.store.room.BannedUser;
import io.parley.store.room.Memberships;
import io.parley.store.room.RoomRole;
import io.parley.store.room.RoomRoleRepository;
import io.parley.store.room.UnconfirmedChanges.Kind;

import org.springframework.stereotype.Component;

/**
 * Changes the roles of members, mutes them, and lists and lifts bans.
 */
@Component
class RoomModeration {

	private final RoomLock lock;

	private final RoomRoleRepository roles;

	private final Memberships memberships;

	private final RoomChanges changes;

	private final RoleEvents events;

	private final MemberAccounts accounts;

	RoomModeration(RoomLock lock, RoomRoleRepository roles, Memberships memberships, RoomChanges changes,
			RoleEvents events, MemberAccounts accounts) {
		this.lock = lock;
		this.roles = roles;
		this.memberships = memberships;
		this.changes = changes;
		this.events = events;
		this.accounts = accounts;
	}

	/**
	 * Gives a member another role. Who makes another member the owner becomes a
	 * moderator. Idempotent.
	 * @throws io.parley.server.error.ChatException if the role may not be given, the user
	 * is not a member, or the account of the new owner is disabled
	 */
	void changeRole(String room, String by, String user, RoomRole given) {
		boolean changed = this.lock.as(by, room, RoomAction.CHANGE_ROLE, (role) -> {
			RoomRole before = requireMember(room, user);
			if (before == given && this.changes.isUnconfirmed(room, user, Kind.ROLE)) {
				// Repeated by somebody who may have handed over the room with it.
				return false;
			}
			RoomPermissions.requireRole(role, by.equals(user), before, given);
			if (before == given) {
				return false;
			}
			if (given == RoomRole.OWNER) {
				this.accounts.lockNewOwner(user);
			}
			this.roles.change(room, user, given);
			if (given == RoomRole.OWNER) {
				this.roles.change(room, by, RoomRole.MODERATOR);
			}
			return true;
		});
		boolean handedOver = changed && given == RoomRole.OWNER;
		if (changed) {
			this.events.signal(room, by, user, given, this.roles.mutedUntil(room, user));
		}
		if (handedOver) {
			this.events.signal(room, by, by, RoomRole.MODERATOR, null);
		}
		try {
			if (changed || this.changes.isUnconfirmed(room, user, Kind.ROLE)) {
				this.events.append(room, by, user, given);
			}
		}
		finally {
			if (handedOver) {
				this.events.append(room, by, by, RoomRole.MODERATOR);
			}
		}
	}

	private RoomRole requireMember(String room, String user) {
		RoomRole role = this.roles.roleOf(room, user);
		if (role == null) {
			throw ErrorCode.NOT_FOUND.because("There is no member '" + user + "' in this room.");
		}
		return role;
	}

	/**
	 * Mutes a member until that time. Leaving the room does not end a mute.
	 * @throws io.parley.server.error.ChatException if the user may not be muted, or is
	 * not a member
	 */
	void mute(String room, String by, String user, Instant until) {
		RoomRole muted = this.lock.as(by, room, RoomAction.MUTE, (role) -> {
			RoomRole target = requireMember(room, user);
			RoomPermissions.requireOn(RoomAction.MUTE, role, target);
			this.roles.mute(room, user, until);
			return target;
		});
		this.events.signal(room, by, user, muted, until);
	}

	/** Ends the mute of a user, also of one who has left. Idempotent. */
	void unmute(String room, String by, String user) {
		Optional<RoomRole> unmuted = this.lock.as(by, room, RoomAction.MUTE, (role) -> {
			RoomRole target = this.roles.roleOf(room, user);
			RoomPermissions.requireOn(RoomAction.MUTE, role, target);
			this.roles.mute(room, user, null);
			return Optional.ofNullable(target);
		});
		unmuted.ifPresent((role) -> this.events.signal(room, by, user, role, null));
	}

	/** Returns the banned users of a room. */
	List<BannedUser> bans(String room, String by) {
		return this.lock.as(by, room, RoomAction.LIFT_BAN, (role) -> this.memberships.bansOf(room));
	}

	/** Lifts the ban of a user, who can join again then. Idempotent. */
	void liftBan(String room, String by, String user) {
		this.lock.as(by, room, RoomAction.LIFT_BAN, (role) -> {
			this.memberships.liftBan(room, user);
			return role;
		});
	}

}
