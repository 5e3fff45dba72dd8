package io.parley.store.room;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** A room of a user, and what the user is in it. */
public record RoomStanding(String room, Standing standing) {

	public RoomStanding(String room, String username, RoomRole role, @Nullable Instant mutedUntil, int slowMode,
			boolean memberPins) {
		this(room, new Standing(username, role, mutedUntil, slowMode, memberPins));
	}

}
