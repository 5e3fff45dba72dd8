package io.parley.loadtest.measure;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Counts by second, to find the busiest one. Safe for use by many threads.
 */
public final class PeakRate {

	private final Map<Long, Long> bySecond = new HashMap<>();

	/**
	 * Counts one.
	 * @param nanos the time of {@link System#nanoTime()}
	 */
	public synchronized void count(long nanos) {
		this.bySecond.merge(TimeUnit.NANOSECONDS.toSeconds(nanos), 1L, Long::sum);
	}

	/**
	 * Returns the number of the busiest second; 0 if nothing was counted.
	 */
	public synchronized long peak() {
		return this.bySecond.values().stream().mapToLong(Long::longValue).max().orElse(0);
	}

	public synchronized void reset() {
		this.bySecond.clear();
	}

}
