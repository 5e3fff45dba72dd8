package io.parley.store.push;

import java.time.Instant;

import io.parley.store.UtcInstant;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import org.hibernate.annotations.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * The push settings of a user for one room.
 *
 * @param level null for the user's own level
 * @param mutedUntil no notifications about this room until then; null if not muted
 */
@Embeddable
public record RoomPushSetting(@Enumerated(EnumType.STRING) @Nullable PushLevel level,
		@JavaType(UtcInstant.class) @Nullable Instant mutedUntil) {

	/** The settings of users who have saved none for a room. */
	public static final RoomPushSetting DEFAULT = new RoomPushSetting(null, null);

}
