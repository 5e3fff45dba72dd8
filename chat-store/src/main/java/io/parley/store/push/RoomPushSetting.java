package io.parley.store.push;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * What a user wants of one room.
 *
 * @param level null for the user's own level
 * @param mutedUntil nothing of this room until then; null when not muted
 */
public record RoomPushSetting(@Nullable PushLevel level, @Nullable Instant mutedUntil) {

	/** Of users who have said nothing about a room. */
	public static final RoomPushSetting DEFAULT = new RoomPushSetting(null, null);

}
