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
 * @param gather how long to let records gather after a batch that was not full and left
 * little behind, which makes fewer and larger batches; with it each batch is also as full
 * as what is there
 */
public record ReaderSettings(int maxRecords, Duration pollTimeout, Duration firstPause, Duration longestPause,
		Duration gather) {

	/** Does not let records gather. */
	public ReaderSettings(int maxRecords, Duration pollTimeout, Duration firstPause, Duration longestPause) {
		this(maxRecords, pollTimeout, firstPause, longestPause, Duration.ZERO);
	}

	/** 1 s for each poll, pauses from 100 ms to 10 s, no gathering. */
	public static ReaderSettings of(int maxRecords) {
		return new ReaderSettings(maxRecords, Duration.ofSeconds(1), Duration.ofMillis(100), Duration.ofSeconds(10));
	}

	/** The same with that time to gather. */
	public ReaderSettings gathering(Duration time) {
		return new ReaderSettings(this.maxRecords, this.pollTimeout, this.firstPause, this.longestPause, time);
	}

}
