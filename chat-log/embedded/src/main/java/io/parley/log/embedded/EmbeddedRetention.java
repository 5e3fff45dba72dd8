package io.parley.log.embedded;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import io.parley.log.LogUnavailableException;
import io.parley.log.embedded.TimeMarks.Mark;
import org.rocksdb.RocksDBException;

/** Lets go of records that are both old and read. */
final class EmbeddedRetention {

	/** Records stay at most this part of the retention longer than it says. */
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

	/** The newest record always stays: the next offset is known from it. */
	synchronized void trim(int partition, EmbeddedPartitionState tail, long belowOffset) {
		Instant now = this.clock.instant();
		try {
			this.marks.note(partition, now, tail.end());
			Mark aged = this.marks.newestAt(partition, now.minus(this.retention));
			long limit = Math.min(Math.min(aged.end(), belowOffset), tail.end() - 1);
			long start = tail.start();
			if (limit > start) {
				tail.startAt(limit);
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
