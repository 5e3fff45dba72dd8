package io.parley.log.embedded;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;

import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * Remembers how old records are, without a time in each: a mark says that at some moment
 * a partition ended at some offset, so everything below is at least that old. Marks are
 * made when the log is trimmed; appending pays nothing for them.
 */
final class TimeMarks {

	private final LogStore store;

	private final Duration spacing;

	/**
	 * Reads and writes the marks of a store.
	 * @param spacing no mark is made sooner than this after the one before
	 */
	TimeMarks(LogStore store, Duration spacing) {
		this.store = store;
		this.spacing = spacing;
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
		return !isMark(iterator, partition) || now - RecordKeys.millis(iterator.key()) >= this.spacing.toMillis();
	}

	/** The newest mark that is at least as old as that moment. */
	Mark newestAt(int partition, Instant time) {
		return this.store.scan((iterator) -> {
			iterator.seekForPrev(RecordKeys.mark(partition, Math.max(0, time.toEpochMilli())));
			return isMark(iterator, partition)
					? new Mark(RecordKeys.millis(iterator.key()), ByteBuffer.wrap(iterator.value()).getLong())
					: Mark.NONE;
		});
	}

	/** Forgets the marks before another. */
	void forgetBefore(int partition, Mark mark) throws RocksDBException {
		try (WriteBatch batch = new WriteBatch()) {
			batch.deleteRange(RecordKeys.mark(partition, 0), RecordKeys.mark(partition, mark.millis()));
			this.store.write(batch);
		}
	}

	private static boolean isMark(RocksIterator iterator, int partition) {
		return iterator.isValid() && RecordKeys.isMark(iterator.key(), partition);
	}

	/** At that time, in milliseconds since 1970, the partition ended at that offset. */
	record Mark(long millis, long end) {

		static final Mark NONE = new Mark(0, 0);

	}

}
