package io.parley.loadtest.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads 60s, 5m, 1h30m. */
public final class Span implements ITypeConverter<Duration> {

	@Override
	public Duration convert(String value) {
		try {
			return Duration.parse("PT" + value);
		}
		catch (DateTimeParseException ex) {
			throw new TypeConversionException("'" + value + "' is not a time such as 60s, 5m or 1h30m");
		}
	}

}
