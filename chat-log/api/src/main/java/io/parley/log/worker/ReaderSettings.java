package io.parley.log.worker;

import java.time.Duration;

/**
 * Settings of a {@link PartitionedReader}.
 *
 * @param maxRecords the maximum number of records in a batch
 * @param pollTimeout how long a poll waits for records
 * @param firstPause the pause after the first failure; it doubles with each further
 * failure
 * @param longestPause the maximum pause
 * @param gather how long to let records gather after a batch that was not full and left
 * few records behind, which makes fewer and larger batches. If it is positive, each batch
 * also includes all available records, up to {@code maxRecords}
 */
public record ReaderSettings(int maxRecords, Duration pollTimeout, Duration firstPause, Duration longestPause,
		Duration gather) {

	/** Creates settings without gathering. */
	public ReaderSettings(int maxRecords, Duration pollTimeout, Duration firstPause, Duration longestPause) {
		this(maxRecords, pollTimeout, firstPause, longestPause, Duration.ZERO);
	}

	/**
	 * Returns settings with a poll timeout of 1 s, pauses from 100 ms to 10 s, and no
	 * gathering.
	 */
	public static ReaderSettings of(int maxRecords) {
		return new ReaderSettings(maxRecords, Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofSeconds(10));
	}

	/** Returns the same settings with this time to gather. */
	public ReaderSettings gathering(Duration time) {
		return new ReaderSettings(this.maxRecords, this.pollTimeout, this.firstPause, this.longestPause, time);
	}

}
