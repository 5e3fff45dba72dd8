package io.parley.server.metrics;

import java.time.Duration;
import java.util.stream.LongStream;

import io.micrometer.core.instrument.Timer;

/**
 * Timers with buckets. Unlike quantiles, buckets of several servers can be added up. The
 * alerts in {@code deploy/prometheus} use these buckets.
 */
public final class Histograms {

	private static final Duration[] BUCKETS = LongStream.of(1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_000, 5_000)
		.mapToObj(Duration::ofMillis)
		.toArray(Duration[]::new);

	private Histograms() {
	}

	/**
	 * Returns a timer with buckets from 1 ms to 5 s, which the caller registers.
	 */
	public static Timer.Builder timer(String name, String description) {
		return Timer.builder(name).description(description).serviceLevelObjectives(BUCKETS);
	}

}
