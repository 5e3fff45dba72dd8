package io.parley.server.json;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import io.parley.server.error.ErrorCode;

/** Parses times of clients, which are text in ISO 8601 and never numbers. */
public final class WireTime {

	/** Databases behave differently above this instant. */
	private static final Instant MAX = Instant.parse("9999-12-31T00:00:00Z");

	private WireTime() {
	}

	/**
	 * Parses a time, in whole milliseconds.
	 * @param field for the message of the exception
	 * @throws io.parley.server.error.ChatException {@code bad-request} if it is not a
	 * time from 1970 to 9999
	 */
	public static Instant parse(String field, String text) {
		try {
			Instant instant = Instant.parse(text).truncatedTo(ChronoUnit.MILLIS);
			if (!instant.isBefore(Instant.EPOCH) && instant.isBefore(MAX)) {
				return instant;
			}
		}
		catch (DateTimeException ex) {
			// Refused below.
		}
		throw ErrorCode.BAD_REQUEST
			.because("'" + field + "' must be a time from 1970 to 9999 such as 2026-01-31T08:00:00Z.");
	}

	/**
	 * Parses a time in the near future, in whole milliseconds.
	 * @param longest how far away it may be
	 * @throws io.parley.server.error.ChatException {@code bad-request} if it is not a
	 * time, has passed, or is too far away
	 */
	public static Instant parseFuture(String field, String text, Duration longest) {
		Instant instant = parse(field, text);
		Instant now = Instant.now();
		if (!instant.isAfter(now) || instant.isAfter(now.plus(longest))) {
			throw ErrorCode.BAD_REQUEST
				.because("'" + field + "' must be in the future and at most " + longest.toDays() + " days away.");
		}
		return instant;
	}

}
