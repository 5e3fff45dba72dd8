package io.parley.store.push;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import org.jspecify.annotations.Nullable;

/**
 * What a user wants everywhere.
 *
 * @param mutedUntil nothing until then; null when not muted
 * @param quiet when nothing is told, but kept until it is over; null for no such time
 */
public record PushSetting(PushLevel level, @Nullable Instant mutedUntil, @Nullable QuietHours quiet) {

	/** Of users who have said nothing. */
	public static final PushSetting DEFAULT = new PushSetting(PushLevel.ALL, null, null);

	/**
	 * A daily time, which may go past midnight.
	 *
	 * @param from inclusive
	 * @param to exclusive
	 */
	public record QuietHours(LocalTime from, LocalTime to, ZoneId zone) {

		/** When the quiet time around that instant ends, or null when it is not quiet. */
		public @Nullable Instant endAround(Instant instant) {
			ZonedDateTime local = instant.atZone(this.zone);
			LocalDate today = local.toLocalDate();
			for (LocalDate day : new LocalDate[] { today.minusDays(1), today }) {
				ZonedDateTime start = day.atTime(this.from).atZone(this.zone);
				ZonedDateTime end = (this.to.isAfter(this.from) ? day : day.plusDays(1)).atTime(this.to)
					.atZone(this.zone);
				if (!local.isBefore(start) && local.isBefore(end)) {
					return end.toInstant();
				}
			}
			return null;
		}

	}

}
