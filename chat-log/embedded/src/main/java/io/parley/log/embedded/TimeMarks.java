package io.parley.log.embedded;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;

import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Tracks the age of records without storing a time in each. A mark states that at some
 * moment a partition ended at some offset, so all records below it are at least that old.
 * Marks are created when the log is trimmed; appends have no extra cost.
 */
final class TimeMarks {

	private final LogStore store;

	private final Duration interval;

	/**
	 * Creates an instance for the marks of a store.
	 * @param interval the minimum time between two marks
	 */
	TimeMarks(LogStore store, Duration interval) {
		this.store = store;
		this.interval = interval;
	}

	void note(int partition, Instant now, long end) throws RocksDBException {
		if (this.store.scan((iterator) -> isDue(iterator, partition, now.toEpochMilli()))) {
			try (WriteBatch batch = new WriteBatch()) {
				batch.put(RecordKeys.mark(partition, now.toEpochMilli()),
						ByteBuffer.allocate(Long.BYTES).putLong(end).array());
				this.store.write(batch);
			}
		}
	}

	private boolean isDue(RocksIterator iterator, int partition, long now) {
		iterator.seekForPrev(RecordKeys.mark(partition, Long.MAX_VALUE));
		return !isMark(iterator, partition) || now - RecordKeys.millis(iterator.key()) >= this.interval.toMillis();
	}

	/** Returns the newest mark that is at least as old as this time. */
	Mark newestAt(int partition, Instant time) {
		return this.store.scan((iterator) -> {
			iterator.seekForPrev(RecordKeys.mark(partition, Math.max(0, time.toEpochMilli())));
			return isMark(iterator, partition)
					? new Mark(RecordKeys.millis(iterator.key()), ByteBuffer.wrap(iterator.value()).getLong())
					: Mark.NONE;
		});
	}

	/** Removes the marks before another. */
	void forgetBefore(int partition, Mark mark) throws RocksDBException {
		try (WriteBatch batch = new WriteBatch()) {
			batch.deleteRange(RecordKeys.mark(partition, 0), RecordKeys.mark(partition, mark.millis()));
			this.store.write(batch);
		}
	}

	private static boolean isMark(RocksIterator iterator, int partition) {
		return iterator.isValid() && RecordKeys.isMark(iterator.key(), partition);
	}

	/** The offset at which a partition ended at a time, in milliseconds since 1970. */
	record Mark(long millis, long end) {

		static final Mark NONE = new Mark(0, 0);

	}

}
