package io.parley.loadtest.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Converts a time such as 200ms, 60s, 5m or 1h30m.
 */
public final class DurationConverter implements ITypeConverter<Duration> {

	@Override
	public Duration convert(String value) {
		try {
			return value.endsWith("ms") ? Duration.ofMillis(Long.parseLong(value.substring(0, value.length() - 2)))
					: Duration.parse("PT" + value);
		}
		catch (DateTimeParseException | NumberFormatException ex) {
			throw new TypeConversionException("'" + value + "' is not a time such as 200ms, 60s, 5m or 1h30m");
		}
	}

}
