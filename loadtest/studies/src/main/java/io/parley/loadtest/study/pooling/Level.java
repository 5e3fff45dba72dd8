package io.parley.loadtest.study.pooling;

import java.util.Map;

import org.HdrHistogram.Histogram;

/**
 * The result with a number of users.
 *
 * @param seconds duration of the measurement
 * @param micros latency of each correct answer
 * @param errors other answers, with their numbers
 */
record Level(int users, double seconds, Histogram micros, Map<String, Long> errors) {

	private static final double MICROS_PER_MILLI = 1000;

	double rate() {
		return this.micros.getTotalCount() / this.seconds;
	}

	double mean() {
		return this.micros.getMean() / MICROS_PER_MILLI;
	}

	double p99() {
		return this.micros.getValueAtPercentile(99) / MICROS_PER_MILLI;
	}

	long failed() {
		return this.errors.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Returns the share of errors in per cent.
	 */
	double errorShare() {
		long all = this.micros.getTotalCount() + failed();
		return (all > 0) ? 100.0 * failed() / all : 0;
	}

}
