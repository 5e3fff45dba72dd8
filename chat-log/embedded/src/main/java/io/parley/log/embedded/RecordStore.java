package io.parley.log.embedded;

import java.util.ArrayList;
import java.util.List;

import io.parley.log.LogRecord;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/** Reads and removes the records in the store. */
final class RecordStore {

	/**
	 * A read ends when it reaches this size, so that large records don't fill the heap.
	 */
	private static final long MAX_READ_BYTES = 4L * 1024 * 1024;

	private static final long NONE = -1;

	private final LogStore store;

	RecordStore(LogStore store) {
		this.store = store;
	}

	/** Returns up to {@code maxRecords} records from an offset, all below {@code end}. */
	List<LogRecord> read(int partition, long from, long end, int maxRecords) {
		return this.store.scan((iterator) -> {
			List<LogRecord> records = new ArrayList<>();
			long bytes = 0;
			iterator.seek(RecordKeys.record(partition, from));
			for (long offset = offset(iterator, partition); offset != NONE
					&& offset < end; offset = offset(iterator, partition)) {
				byte[] data = iterator.value();
				records.add(new LogRecord(partition, offset, data));
				bytes += data.length;
				if (records.size() == maxRecords || bytes >= MAX_READ_BYTES) {
					break;
				}
				iterator.next();
			}
			return records;
		});
	}

	/** Returns the offset of the oldest record, 0 if there is none. */
	long start(int partition) {
		return this.store.scan((iterator) -> {
			iterator.seek(RecordKeys.record(partition, 0));
			return Math.max(0, offset(iterator, partition));
		});
	}

	/** Returns the offset after the newest record, 0 if there is none. */
	long end(int partition) {
		return this.store.scan((iterator) -> {
			iterator.seekForPrev(RecordKeys.record(partition, Long.MAX_VALUE));
			return offset(iterator, partition) + 1;
		});
	}

	/**
	 * Returns the offset at the iterator, {@link #NONE} if it is not at a record of the
	 * partition.
	 */
	private static long offset(RocksIterator iterator, int partition) {
		if (!iterator.isValid()) {
			return NONE;
		}
		byte[] key = iterator.key();
		return RecordKeys.isRecord(key, partition) ? RecordKeys.offset(key) : NONE;
	}

	/** Removes the records from an offset up to, but not including, another. */
	void remove(int partition, long from, long below) throws RocksDBException {
		byte[] first = RecordKeys.record(partition, from);
		byte[] limit = RecordKeys.record(partition, below);
		try (WriteBatch batch = new WriteBatch()) {
			batch.deleteRange(first, limit);
			this.store.write(batch);
		}
		this.store.reclaim(first, limit);
	}

}
