package io.parley.server.push;

import io.parley.store.push.PushLevel;
import io.parley.store.push.RoomPushSetting;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A user's notification settings for one room.
 *
 * @param level null to use the user's general level
 * @param mutedUntil no notifications from this room until then; ISO-8601
 */
record RoomNotifications(@Nullable @Pattern(regexp = WireFormat.LEVEL, message = WireFormat.LEVEL_MESSAGE) String level,
		@Nullable String mutedUntil) {

	static RoomNotifications of(RoomPushSetting setting) {
		PushLevel level = setting.level();
		return new RoomNotifications((level != null) ? WireFormat.name(level) : null,
				WireFormat.format(setting.mutedUntil()));
	}

	RoomPushSetting setting() {
		return new RoomPushSetting((this.level != null) ? WireFormat.parseLevel(this.level) : null,
				WireFormat.parseInstant("mutedUntil", this.mutedUntil));
	}

}
