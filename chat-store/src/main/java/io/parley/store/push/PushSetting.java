package io.parley.store.push;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;

import io.parley.store.UtcInstant;
import jakarta.persistence.Column;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import org.hibernate.annotations.JavaType;
import org.jspecify.annotations.Nullable;

/**
 * The push settings of a user for all rooms.
 *
 * @param mutedUntil no notifications until then; null if not muted
 * @param quiet the hours in which notifications are kept until the hours end; null for
 * none
 */
@Embeddable
public record PushSetting(@Enumerated(EnumType.STRING) PushLevel level,
		@JavaType(UtcInstant.class) @Nullable Instant mutedUntil, @Nullable QuietHours quiet) {

	/** The settings of users who have saved none. */
	public static final PushSetting DEFAULT = new PushSetting(PushLevel.ALL, null, null);

	/**
	 * A daily period, which may span midnight.
	 *
	 * @param from inclusive
	 * @param to exclusive
	 */
	@Embeddable
	public record QuietHours(@Column(name = "quiet_from") LocalTime from, @Column(name = "quiet_to") LocalTime to,
			@Column(name = "time_zone") ZoneId zone) {

		/**
		 * Returns the end of the quiet hours that contain the instant, or null if it is
		 * in none.
		 */
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
