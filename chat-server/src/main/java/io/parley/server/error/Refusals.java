package io.parley.server.error;

import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.stereotype.Component;

/**
 * Counts the errors that clients were told, for each code: as an {@code error} event, an
 * ERROR frame or a problem. Safe for use by many threads.
 */
@Component
public class Refusals {

	/** By the ordinal of the code. */
	private final Counter[] counters;

	public Refusals(MeterRegistry meters) {
		this.counters = Stream.of(ErrorCode.values())
			.map((code) -> Counter.builder("chat.refusals")
				.tag("code", code.code())
				.description("Errors that clients were told")
				.register(meters))
			.toArray(Counter[]::new);
	}

	/** Counts one error of this code. Never blocks. */
	public void count(ErrorCode code) {
		this.counters[code.ordinal()].increment();
	}

}
