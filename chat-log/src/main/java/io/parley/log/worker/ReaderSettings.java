package io.parley.log.worker;

import java.time.Duration;

/**
 * How a {@link PartitionedReader} reads.
 *
 * @param maxRecords how many records a batch has at the most
 * @param pollTimeout how long to wait for records before looking around
 * @param firstPause how long to wait after the first failure; it doubles from one to the
 * next
 * @param longestPause where the doubling ends
 */
public record ReaderSettings(int maxRecords, Duration pollTimeout, Duration firstPause, Duration longestPause) {

	/** 1 s for each poll, pauses from 100 ms to 10 s. */
	public static ReaderSettings of(int maxRecords) {
		return new ReaderSettings(maxRecords, Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofSeconds(10));
	}

}
