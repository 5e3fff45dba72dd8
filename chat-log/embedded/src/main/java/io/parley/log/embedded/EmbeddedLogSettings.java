package io.parley.log.embedded;

import java.nio.file.Path;
import java.time.Duration;

/**
 * What an {@link EmbeddedRoomLog} is opened with.
 *
 * @param directory belongs to the log alone; made when it is missing
 * @param partitions 1 to 1,024; fixed once the log is made
 * @param retention how long {@link EmbeddedRoomLog#trim} keeps a record at the least
 * @param minFreeBytes appends are refused while the disk has less usable space than this
 */
public record EmbeddedLogSettings(Path directory, int partitions, Duration retention, long minFreeBytes) {

	private static final int MAX_PARTITIONS = 1024;

	public EmbeddedLogSettings {
		if (partitions < 1 || partitions > MAX_PARTITIONS) {
			throw new IllegalArgumentException("A log has 1 to " + MAX_PARTITIONS + " partitions, not " + partitions);
		}
		if (retention.isNegative() || minFreeBytes < 0) {
			throw new IllegalArgumentException("Retention and minimum free space can't be negative");
		}
	}
}
