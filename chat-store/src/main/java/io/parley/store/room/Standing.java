package io.parley.store.room;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The standing of a member in a room: role, mute and other restrictions.
 *
 * @param mutedUntil until when the member may not write; may be in the past; null if the
 * member was never muted
 * @param slowMode the seconds between two messages of a member of the room; 0 if slow
 * mode is off
 * @param memberPins whether members of the room may pin messages; always so in a direct
 * room
 */
public record Standing(String username, RoomRole role, @Nullable Instant mutedUntil, int slowMode, boolean memberPins) {

	/** Returns whether the member may not write at that time. */
	public boolean isMuted(Instant now) {
		return this.mutedUntil != null && now.isBefore(this.mutedUntil);
	}

}
