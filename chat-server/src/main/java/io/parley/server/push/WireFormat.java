package io.parley.server.push;

import java.time.Instant;
import java.util.Locale;

import io.parley.server.json.WireTime;
import io.parley.store.push.PushLevel;
import org.jspecify.annotations.Nullable;

/** Converts levels and times from and to their form on the wire. */
final class WireFormat {

	static final String LEVEL = "all|mentions|none";

	static final String LEVEL_MESSAGE = "must be all, mentions or none";

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
		return (text != null) ? WireTime.parse(field, text) : null;
	}

	static @Nullable String format(@Nullable Instant instant) {
		return (instant != null) ? instant.toString() : null;
	}

}
