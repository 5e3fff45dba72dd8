package io.parley.server.room;

import io.parley.store.room.RoomRole;

/**
 * An action of a member in a room, with the lowest role that may. {@link RoomPermissions}
 * is the only class that decides by it.
 */
public enum RoomAction {

	/** See the room and its members, follow and read it, mark it as read. */
	READ(RoomRole.READER, false),

	/** Post a message. */
	POST(RoomRole.MEMBER, true),

	/** Keep a draft of a message, or schedule one. A mute may end before it is sent. */
	PREPARE(RoomRole.MEMBER, false),

	/** Show that one is typing. */
	TYPE(RoomRole.MEMBER, true),

	/** Mention the whole room. */
	MENTION_ROOM(RoomRole.MODERATOR, false),

	/** Delete a message of somebody else. */
	DELETE_MESSAGE(RoomRole.MODERATOR, false),

	/** Add a user who is not banned. */
	ADD_MEMBER(RoomRole.MEMBER, false),

	/** Make, list and revoke invite links. */
	INVITE(RoomRole.MODERATOR, false),

	/** List bans and lift them, also by adding the user. */
	LIFT_BAN(RoomRole.MODERATOR, false),

	/** Remove and ban a user whose role is lower. */
	REMOVE(RoomRole.MODERATOR, false),

	/** Mute and unmute a member whose role is lower. */
	MUTE(RoomRole.MODERATOR, false),

	/** List and close reports of messages. */
	HANDLE_REPORTS(RoomRole.MODERATOR, false),

	/** Pin a message, or end its pin. */
	PIN(RoomRole.MODERATOR, true),

	/** Pin a message, or end its pin, where members may. */
	PIN_AS_MEMBER(RoomRole.MEMBER, true),

	/** Set the slow mode of the room. */
	SLOW_MODE(RoomRole.MODERATOR, false),

	/** Change the name, the topic and the other settings of the room. */
	CHANGE_ROOM(RoomRole.OWNER, false),

	/** Give a member whose role is lower another role that is lower than one's own. */
	CHANGE_ROLE(RoomRole.MODERATOR, false);

	private final RoomRole lowest;

	private final boolean speech;

	RoomAction(RoomRole lowest, boolean speech) {
		this.lowest = lowest;
		this.speech = speech;
	}

	RoomRole lowest() {
		return this.lowest;
	}

	/** Returns whether a mute or a block prevents it. */
	boolean isSpeech() {
		return this.speech;
	}

}
