package io.parley.log.embedded;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import io.parley.log.LogUnavailableException;
import io.parley.log.embedded.TimeMarks.Mark;
import org.rocksdb.RocksDBException;

/** Removes records that are both old and read by all readers. */
final class EmbeddedRetention {

	/**
	 * Records stay at most this part of the retention longer, that is, one hundredth of
	 * it.
	 */
	private static final int PRECISION = 100;

	private final RecordStore records;

	private final TimeMarks marks;

	private final Duration retention;

	private final InstantSource clock;

	EmbeddedRetention(LogStore store, RecordStore records, Duration retention, InstantSource clock) {
		this.records = records;
		this.marks = new TimeMarks(store, retention.dividedBy(PRECISION));
		this.retention = retention;
		this.clock = clock;
	}

	/**
	 * Trims a partition. The newest record always stays, because the next offset is
	 * derived from it.
	 */
	synchronized void trim(int partition, EmbeddedPartitionState state, long belowOffset) {
		Instant now = this.clock.instant();
		try {
			this.marks.note(partition, now, state.end());
			Mark aged = this.marks.newestAt(partition, now.minus(this.retention));
			long limit = Math.min(Math.min(aged.end(), belowOffset), state.end() - 1);
			long start = state.start();
			if (limit > start) {
				state.startAt(limit);
				this.records.remove(partition, start, limit);
				this.marks.forgetBefore(partition, aged);
			}
		}
		catch (RocksDBException ex) {
			throw new LogUnavailableException(
					"Partition " + partition + " of the log can't be trimmed (" + ex.getMessage() + "): check the disk",
					ex);
		}
	}

}
