package io.parley.store.push;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The push settings of a user for one room.
 *
 * @param level null for the user's own level
 * @param mutedUntil no notifications about this room until then; null if not muted
 */
public record RoomPushSetting(@Nullable PushLevel level, @Nullable Instant mutedUntil) {

	/** The settings of users who have saved none for a room. */
	public static final RoomPushSetting DEFAULT = new RoomPushSetting(null, null);

}
