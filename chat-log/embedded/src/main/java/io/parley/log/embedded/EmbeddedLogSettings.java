package io.parley.log.embedded;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Settings of an {@link EmbeddedRoomLog}.
 *
 * @param directory used by the log alone; created if it is missing
 * @param partitions 1 to 1,024; fixed once the log is created
 * @param retention the minimum time for which {@link EmbeddedRoomLog#trim} keeps a record
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
