package io.parley.store.log;

import java.util.Set;

import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Checks at each start that a log and this database belong together: the log must contain
 * everything from the first record that is not stored to the end of what was read. A log
 * that was restored from an older copy would assign positions a second time, and records
 * appended below the stored offset would never be stored.
 */
class LogComparison {

	private static final Logger logger = LoggerFactory.getLogger(LogComparison.class);

	private final JdbcTemplate jdbc;

	private final Set<String> acceptedGaps;

	/**
	 * @param acceptedGaps gaps of missing records that the operator has accepted, each as
	 * {@code partition:from-below}
	 */
	LogComparison(JdbcTemplate jdbc, Set<String> acceptedGaps) {
		this.jdbc = jdbc;
		this.acceptedGaps = acceptedGaps;
	}

	/**
	 * Compares the offsets of the readers with the log.
	 * @throws LogUnavailableException if the log ends before a stored offset, or if
	 * records that are not stored are missing at its beginning and that gap was not
	 * accepted
	 */
	void check(RoomLog log, long epoch) {
		this.jdbc.query("SELECT reader, partition_no, next_offset FROM reader_offset WHERE epoch = ?", (row) -> {
			String reader = row.getString(1);
			int partition = row.getInt(2);
			long next = row.getLong(3);
			if (partition < log.partitions()) {
				log.requireReaches(partition, next);
				requireNoGap(reader, partition, next, log.startOffset(partition));
			}
		}, epoch);
	}

	/**
	 * Fails on a gap of the persistence reader that was not accepted. Other gaps only
	 * cause a warning: a push for a lost message would come days late.
	 */
	private void requireNoGap(String reader, int partition, long next, long start) {
		if (next >= start) {
			return;
		}
		String gap = partition + ":" + next + "-" + start;
		if (reader.equals(ReaderOffsets.PERSISTENCE) && !this.acceptedGaps.contains(gap)) {
			throw new LogUnavailableException("Partition " + partition + " of the log begins at offset " + start
					+ ", but the database has stored it only up to " + next + ": " + (start - next)
					+ " records are missing. Restore a database and a log that belong together."
					+ " To continue without these records, start with --chat.log.accepted-gaps=" + gap);
		}
		logger.warn("Reader '{}' of partition {} continues without {} missing records, from offset {} to {}", reader,
				partition, start - next, next, start);
	}

}
