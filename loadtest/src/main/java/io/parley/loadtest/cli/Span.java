package io.parley.loadtest.cli;

import java.time.Duration;

import picocli.CommandLine.ITypeConverter;

/** Reads 60s, 5m, 1h30m. */
public final class Span implements ITypeConverter<Duration> {

	@Override
	public Duration convert(String value) {
		return Duration.parse("PT" + value);
	}

}
