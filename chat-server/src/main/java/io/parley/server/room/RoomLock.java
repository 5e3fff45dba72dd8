package io.parley.server.room;

import java.util.function.Function;

import io.parley.store.room.RoomRole;
import io.parley.store.room.RoomRoleRepository;
import io.parley.store.room.Standing;

import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Runs changes of a room one at a time, with the current role of the one who makes it. So
 * a moderator who is demoted at this moment decides nothing more.
 */
@Component
class RoomLock {

	private final MemberCache members;

	private final RoomRoleRepository roles;

	private final TransactionTemplate transaction;

	RoomLock(MemberCache members, RoomRoleRepository roles, TransactionTemplate transaction) {
		this.members = members;
		this.roles = roles;
		this.transaction = transaction;
	}

	/**
	 * Runs a change in a transaction that holds the lock of the room.
	 * @param change gets the role of the user, who may do the action
	 * @throws io.parley.server.error.ChatException {@code not-a-member} if the user is
	 * not a member or there is no such room, {@code not-allowed} if the role does not
	 * permit the action
	 */
	<T> T as(String user, String room, RoomAction action, Function<RoomRole, T> change) {
		requireWithoutLock(action, room, user);
		return this.transaction.execute((status) -> {
			this.roles.lock(room);
			RoomRole role = this.roles.roleOf(room, user);
			if (role == null) {
				throw RoomAccess.notAMember(room);
			}
			RoomPermissions.require(action, role);
			return change.apply(role);
		});
	}

	/**
	 * Refuses most of those who may not do it, so that they do not make others wait for
	 * the lock. Refuses by the stored role only, because another server may have changed
	 * the cached one a moment ago. In a room that has no owner yet, the lock may change
	 * the role.
	 * @throws io.parley.server.error.ChatException like {@link #as}
	 */
	void requireWithoutLock(RoomAction action, String room, String user) {
		Standing cached = this.members.standing(room, user);
		if (cached != null && RoomPermissions.allows(action, cached.role())) {
			return;
		}
		RoomRole stored = this.roles.roleOf(room, user);
		if (stored == null) {
			throw RoomAccess.notAMember(room);
		}
		if (!RoomPermissions.allows(action, stored) && this.roles.hasOwner(room)) {
			RoomPermissions.require(action, stored);
		}
	}

}
