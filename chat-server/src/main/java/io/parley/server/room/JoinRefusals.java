package io.parley.server.room;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.store.room.Memberships.Joining;
import io.parley.store.room.Room;

/** Explains to users why a join was refused. */
final class JoinRefusals {

	private JoinRefusals() {
	}

	/** Of a room that does not exist, or that the user may not enter. */
	static ChatException notFound(String room) {
		return ErrorCode.NOT_FOUND.because("There is no room " + room + " that you can join.");
	}

	/**
	 * Requires that the user is a member now.
	 * @param self whether the user joins on their own request
	 * @return the result of the join
	 * @throws ChatException {@code room-full}, {@code not-allowed}
	 */
	static Joining requireMember(Joining joining, Room room, String user, boolean self) {
		return switch (joining) {
			case FULL_OR_ABSENT ->
				throw ErrorCode.ROOM_FULL.because("The room is full: it has " + room.getCapacity() + " places.");
			case BANNED -> throw ErrorCode.NOT_ALLOWED
				.because(self ? "You were removed from this room; ask a moderator to let you in again."
						: "'" + user + "' was removed from this room; only a moderator can let them in again.");
			case JOINED, READMITTED, ALREADY_MEMBER -> joining;
		};
	}

}
