package io.parley.loadtest.study.pooling;

import java.util.Map;

import org.HdrHistogram.Histogram;

/**
 * What so many users saw.
 *
 * @param seconds that it took
 * @param micros how long each answer took, of those that were right
 * @param errors what else came, and how often
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

	/** In per cent. */
	double errorShare() {
		long all = this.micros.getTotalCount() + failed();
		return (all > 0) ? 100.0 * failed() / all : 0;
	}

}
