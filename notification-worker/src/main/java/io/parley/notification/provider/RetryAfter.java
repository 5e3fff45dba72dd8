package io.parley.notification.provider;

import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** Reads the {@code Retry-After} header of an answer. */
final class RetryAfter {

	private static final Duration MAX = Duration.ofHours(1);

	private RetryAfter() {
	}

	/**
	 * Returns the requested wait, from seconds or an HTTP date and at most an hour; null
	 * if there is none or it is invalid.
	 */
	static @Nullable Duration of(Map<String, Object> headers, Clock clock) {
		for (Map.Entry<String, Object> header : headers.entrySet()) {
			if (header.getKey().equalsIgnoreCase("retry-after") && header.getValue() != null) {
				return parse(first(header.getValue()).strip(), clock);
			}
		}
		return null;
	}

	private static String first(Object value) {
		if (value instanceof Iterable<?> values) {
			return values.iterator().hasNext() ? String.valueOf(values.iterator().next()) : "";
		}
		return String.valueOf(value);
	}

	private static @Nullable Duration parse(String value, Clock clock) {
		if (value.matches("\\d{1,9}")) {
			return clamp(Duration.ofSeconds(Long.parseLong(value)), Duration.ZERO);
		}
		try {
			ZonedDateTime date = ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME);
			return clamp(Duration.between(clock.instant(), date.toInstant()), Duration.ZERO);
		}
		catch (DateTimeException ex) {
			return null;
		}
	}

	/** Limits a wait to at least {@code min} and at most an hour. */
	static Duration clamp(Duration wait, Duration min) {
		if (wait.compareTo(min) < 0) {
			return min;
		}
		return (wait.compareTo(MAX) > 0) ? MAX : wait;
	}

}
