package io.parley.store.push;

import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;

import io.parley.store.push.PushSetting.QuietHours;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class QuietHoursTests {

	@ParameterizedTest
	@CsvSource({
			// over midnight: start (inclusive), before the end, after the end (exclusive)
			"22:00, 07:00, Europe/Berlin, 2026-01-10T21:00:00Z, 2026-01-11T06:00:00Z",
			"22:00, 07:00, Europe/Berlin, 2026-01-10T22:59:59Z, 2026-01-11T06:00:00Z",
			"22:00, 07:00, Europe/Berlin, 2026-01-11T05:59:59.999Z, 2026-01-11T06:00:00Z",
			"22:00, 07:00, Europe/Berlin, 2026-01-10T20:59:59.999Z,",
			"22:00, 07:00, Europe/Berlin, 2026-01-11T06:00:00Z,", "22:00, 07:00, Europe/Berlin, 2026-01-11T12:00:00Z,",
			// to and from midnight
			"22:00, 00:00, Europe/Berlin, 2026-01-10T22:59:59Z, 2026-01-10T23:00:00Z",
			"22:00, 00:00, Europe/Berlin, 2026-01-10T23:00:00Z,",
			"00:00, 06:00, Europe/Berlin, 2026-01-10T23:00:00Z, 2026-01-11T05:00:00Z",
			// within a day
			"12:00, 14:00, Asia/Kolkata, 2026-01-10T06:30:00Z, 2026-01-10T08:30:00Z",
			"12:00, 14:00, Asia/Kolkata, 2026-01-10T08:30:00Z,", "12:00, 14:00, Asia/Kolkata, 2026-01-10T06:29:59Z,",
			// the local date differs from the UTC date
			"22:00, 07:00, America/New_York, 2026-01-11T03:00:00Z, 2026-01-11T12:00:00Z",
			"22:00, 07:00, Pacific/Auckland, 2026-01-10T09:00:00Z, 2026-01-10T18:00:00Z",
			"22:00, 07:00, Pacific/Kiritimati, 2026-01-10T08:00:00Z, 2026-01-10T17:00:00Z" })
	void endAtTheSameTimeOfDayEverywhere(LocalTime from, LocalTime to, ZoneId zone, Instant instant, Instant end) {
		assertThat(new QuietHours(from, to, zone).endAround(instant)).isEqualTo(end);
	}

	@ParameterizedTest
	@CsvSource({
			// the night is one hour shorter, one hour longer
			"22:00, 07:00, 2026-03-28T22:30:00Z, 2026-03-29T05:00:00Z",
			"22:00, 07:00, 2026-03-29T04:59:59Z, 2026-03-29T05:00:00Z", "22:00, 07:00, 2026-03-29T05:00:00Z,",
			"22:00, 07:00, 2026-10-24T20:00:00Z, 2026-10-25T06:00:00Z",
			"22:00, 07:00, 2026-10-25T05:59:59Z, 2026-10-25T06:00:00Z", "22:00, 07:00, 2026-10-25T06:00:00Z,",
			// 02:30 does not exist: the end moves by the length of the gap
			"22:00, 02:30, 2026-03-29T01:29:59Z, 2026-03-29T01:30:00Z", "22:00, 02:30, 2026-03-29T01:30:00Z,",
			// 02:30 occurs twice: the first one counts
			"22:00, 02:30, 2026-10-25T00:29:59Z, 2026-10-25T00:30:00Z", "22:00, 02:30, 2026-10-25T01:00:00Z," })
	void followTheChangeOfSummerTime(LocalTime from, LocalTime to, Instant instant, Instant end) {
		assertThat(new QuietHours(from, to, ZoneId.of("Europe/Berlin")).endAround(instant)).isEqualTo(end);
	}

}
