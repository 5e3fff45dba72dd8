package io.parley.server.room;

import io.parley.store.room.Memberships.Joining;
import io.parley.store.room.Room;
import org.jspecify.annotations.Nullable;

/**
 * The result of a join, of a user who is a member now.
 *
 * @param large the room, if the join is new and the room is large with it; else null
 */
record JoinResult(Joining joining, @Nullable Room large) {

	static final JoinResult ALREADY_MEMBER = new JoinResult(Joining.ALREADY_MEMBER, null);

	/**
	 * Uses the count from before the join, without those who join meanwhile: it need not
	 * be exact.
	 */
	static JoinResult of(Room room, Joining joining) {
		boolean large = joining.isNew() && LargeRooms.isLarge(room.getMemberCount() + 1);
		return new JoinResult(joining, large ? room : null);
	}

}
