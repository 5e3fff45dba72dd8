package io.parley.server.push;

import java.time.LocalTime;
import java.time.ZoneId;

import io.parley.server.error.ErrorCode;
import io.parley.store.push.PushSetting;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A user's general notification settings.
 *
 * @param mutedUntil no notifications until then; ISO-8601
 * @param quietHours daily period in which notifications are held back until it ends
 */
record UserNotifications(@NotNull @Pattern(regexp = WireFormat.LEVEL, message = WireFormat.LEVEL_MESSAGE) String level,
		@Nullable String mutedUntil, @Nullable @Valid Quiet quietHours) {

	static UserNotifications of(PushSetting setting) {
		PushSetting.QuietHours quiet = setting.quiet();
		return new UserNotifications(WireFormat.name(setting.level()), WireFormat.format(setting.mutedUntil()),
				(quiet != null) ? Quiet.of(quiet) : null);
	}

	PushSetting setting() {
		Quiet quiet = this.quietHours;
		return new PushSetting(WireFormat.parseLevel(this.level),
				WireFormat.parseInstant("mutedUntil", this.mutedUntil), (quiet != null) ? quiet.hours() : null);
	}

	/** A daily period, to the minute. */
	record Quiet(@NotNull @Pattern(regexp = TIME, message = TIME_MESSAGE) String from,
			@NotNull @Pattern(regexp = TIME, message = TIME_MESSAGE) String to, @NotNull String timeZone) {

		private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";

		private static final String TIME_MESSAGE = "must be a time of day such as 07:30";

		static Quiet of(PushSetting.QuietHours hours) {
			return new Quiet(hours.from().toString(), hours.to().toString(), hours.zone().getId());
		}

		PushSetting.QuietHours hours() {
			if (this.from.equals(this.to)) {
				throw ErrorCode.BAD_REQUEST.because("'quietHours' must not end when they begin; use the level none.");
			}
			if (!ZoneId.getAvailableZoneIds().contains(this.timeZone)) {
				throw ErrorCode.BAD_REQUEST.because("'quietHours.timeZone' must be a time zone such as Europe/Berlin.");
			}
			return new PushSetting.QuietHours(LocalTime.parse(this.from), LocalTime.parse(this.to),
					ZoneId.of(this.timeZone));
		}

	}

}
