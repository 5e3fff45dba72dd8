package io.parley.server.room;

import java.util.Locale;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.store.room.RoomRole;
import org.jspecify.annotations.Nullable;

/**
 * Decides who may do what in a room: a pure function of the action and the roles. Nobody
 * acts on somebody of the same or a higher role, and nobody gives away more than they
 * have. All refusals have the code {@code not-allowed}.
 */
final class RoomPermissions {

	private RoomPermissions() {
	}

	/** Returns whether the role may do it. */
	static boolean allows(RoomAction action, RoomRole role) {
		return !action.lowest().isAbove(role);
	}

	/**
	 * Requires that the role may do it.
	 * @throws ChatException if it may not
	 */
	static void require(RoomAction action, RoomRole role) {
		if (!allows(action, role)) {
			throw ErrorCode.NOT_ALLOWED.because("Your role in this room is " + role.wireName() + "; this takes a "
					+ action.lowest().name().toLowerCase(Locale.ROOT) + ".");
		}
	}

	/**
	 * Requires that the role may do it to a user with the other role.
	 * @param target null for a user who is not a member
	 * @throws ChatException if it may not
	 */
	static void requireOn(RoomAction action, RoomRole role, @Nullable RoomRole target) {
		require(action, role);
		if (target != null && !role.isAbove(target)) {
			throw ErrorCode.NOT_ALLOWED.because("You are " + role.wireName()
					+ " and can do this to lower roles only, not to the " + target.wireName() + ".");
		}
	}

	/**
	 * Requires that a member may give a role. Owners give any role to others, and hand
	 * the room over by giving their own. Moderators give the roles below their own to
	 * those below them, and may step down.
	 * @param self whether members change their own role
	 * @throws ChatException if the member may not
	 */
	static void requireRole(RoomRole role, boolean self, RoomRole target, RoomRole given) {
		require(RoomAction.CHANGE_ROLE, role);
		if (self) {
			if (role == RoomRole.OWNER && given != RoomRole.OWNER) {
				throw ErrorCode.NOT_ALLOWED
					.because("A room needs an owner; make somebody else the owner, or leave the room.");
			}
			if (given.isAbove(role)) {
				throw ErrorCode.NOT_ALLOWED.because("You cannot give yourself a higher role.");
			}
			return;
		}
		requireOn(RoomAction.CHANGE_ROLE, role, target);
		if (role != RoomRole.OWNER && !role.isAbove(given)) {
			throw ErrorCode.NOT_ALLOWED.because("Only the owner can make a member " + given.wireName() + ".");
		}
	}

}
