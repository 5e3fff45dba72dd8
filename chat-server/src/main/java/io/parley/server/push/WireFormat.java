package io.parley.server.push;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

import io.parley.server.error.ErrorCode;
import io.parley.store.push.PushLevel;
import org.jspecify.annotations.Nullable;

/** Converts levels and times from and to their form on the wire. */
final class WireFormat {

	static final String LEVEL = "all|mentions|none";

	static final String LEVEL_MESSAGE = "must be all, mentions or none";

	/** Databases behave differently above this instant. */
	private static final Instant MAX = Instant.parse("9999-12-31T00:00:00Z");

	private WireFormat() {
	}

	static String name(Enum<?> constant) {
		return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

	static PushLevel parseLevel(String name) {
		return PushLevel.valueOf(name.toUpperCase(Locale.ROOT));
	}

	/**
	 * Parses an instant of a client.
	 * @throws io.parley.server.error.ChatException if it is not a valid instant
	 */
	static @Nullable Instant parseInstant(String field, @Nullable String text) {
		if (text == null) {
			return null;
		}
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

	static @Nullable String format(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

}
