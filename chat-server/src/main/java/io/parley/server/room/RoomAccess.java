package io.parley.server.room;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import io.parley.server.error.ErrorCode;
import io.parley.store.room.RoomRole;
import io.parley.store.room.Standing;

import org.springframework.stereotype.Component;

/**
 * The one gate for what users do in rooms, asked by HTTP and STOMP alike. Answers from
 * the {@link MemberCache}, so that a message needs no query. Safe for use by many
 * threads.
 */
@Component
public class RoomAccess {

	private final MemberCache members;

	private final DirectBlocks blocks;

	private final RoomSettingsCache settings;

	RoomAccess(MemberCache members, DirectBlocks blocks, RoomSettingsCache settings) {
		this.members = members;
		this.blocks = blocks;
		this.settings = settings;
	}

	/**
	 * Requires that the user may do it in the room. A room that does not exist has no
	 * members.
	 * @throws io.parley.server.error.ChatException {@code not-a-member} if the user is
	 * not a member or there is no such room, {@code not-allowed} if the role does not
	 * permit it or one of the two users of a direct room has blocked the other,
	 * {@code muted}, or {@code store-unavailable} if that is not known
	 */
	public void require(RoomAction action, String room, String user) {
		Standing standing = this.members.standing(room, user);
		if (standing == null) {
			throw notAMember(room);
		}
		RoomPermissions.require(action, standing.role());
		if (action.isSpeech()) {
			requireNotMuted(standing);
			this.blocks.requireOpen(room);
		}
	}

	/**
	 * Returns whether the user is a member of the room whose role permits it.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if that is
	 * not known
	 */
	public boolean allows(RoomAction action, String room, String user) {
		Standing standing = this.members.standing(room, user);
		return standing != null && RoomPermissions.allows(action, standing.role());
	}

	/**
	 * Returns those of the users who are members of the room, with at most one query.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if that is
	 * not known
	 */
	public Set<String> membersAmong(String room, Collection<String> users) {
		return this.members.among(room, users);
	}

	/**
	 * Returns whether the user is a member of the room.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if that is
	 * not known
	 */
	public boolean isMember(String room, String user) {
		return this.members.standing(room, user) != null;
	}

	/**
	 * Returns how many seconds must be between two messages of the user in the room; 0
	 * without slow mode, and for moderators and owners.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if that is
	 * not known
	 */
	public int slowMode(String room, String user) {
		Standing standing = this.members.standing(room, user);
		return (standing != null && RoomRole.MODERATOR.isAbove(standing.role()))
				? this.settings.of(room, standing).slowMode() : 0;
	}

	/**
	 * Requires that the user may pin messages in the room, like {@link #require}: members
	 * may where the room lets them.
	 */
	public void requirePin(String room, String user) {
		Standing standing = this.members.standing(room, user);
		boolean membersMay = standing != null && this.settings.of(room, standing).memberPins();
		require(membersMay ? RoomAction.PIN_AS_MEMBER : RoomAction.PIN, room, user);
	}

	/**
	 * Prepares {@link #require} for all rooms of a user who returns to one of them, with
	 * at most one query.
	 * @return the rooms that were looked up
	 */
	public List<String> load(String room, String user) {
		return this.members.load(room, user);
	}

	private static void requireNotMuted(Standing standing) {
		if (standing.isMuted(Instant.now())) {
			throw ErrorCode.MUTED
				.because("You are muted in this room until " + standing.mutedUntil() + "; you can read until then.");
		}
	}

	static RuntimeException notAMember(String room) {
		return ErrorCode.NOT_A_MEMBER.because("You are not a member of room " + room + "; join it first.");
	}

}
