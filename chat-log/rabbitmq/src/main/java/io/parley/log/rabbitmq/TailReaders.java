package io.parley.log.rabbitmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Passes the records that the tail consumer gets to the readers that have caught up, so
 * that the broker sends each record once. Keeps the newest records, because a reader
 * joins some records behind the end. Safe for use by many threads.
 */
final class TailReaders {

	private static final int MAX_RECORDS = 1_000;

	private static final int MAX_BYTES = 256 * 1024;

	private final List<StreamReader> readers = new ArrayList<>();

	private final Deque<LogRecord> newest = new ArrayDeque<>();

	private int bytes;

	/** All records from this offset on are in {@link #newest} or come later. */
	private long from;

	private long end;

	/** Notes the offset at which the tail consumer begins. */
	synchronized void startAt(long offset) {
		this.from = offset;
		this.end = offset;
	}

	/**
	 * Adds what the tail consumer got. Called in the order of the offsets; after a lost
	 * connection some are added again.
	 * @param record null if the message is not from a log
	 */
	synchronized void add(long offset, @Nullable LogRecord record) {
		if (offset < this.end) {
			return;
		}
		this.end = offset + 1;
		if (record != null) {
			this.newest.addLast(record);
			this.bytes += record.data().length;
			while (this.newest.size() > MAX_RECORDS || this.bytes > MAX_BYTES) {
				LogRecord oldest = this.newest.removeFirst();
				this.bytes -= oldest.data().length;
				this.from = oldest.offset() + 1;
			}
			this.readers.removeIf((reader) -> !reader.offer(record));
		}
	}

	/**
	 * Passes all records from the next one of a reader on to it, until it no longer takes
	 * them.
	 * @return false if the reader is too far behind, and must read on by itself
	 */
	synchronized boolean join(StreamReader reader) {
		if (!reader.join(this.from)) {
			return false;
		}
		if (this.newest.stream().allMatch(reader::offer)) {
			this.readers.add(reader);
		}
		return true;
	}

	synchronized void leave(StreamReader reader) {
		this.readers.remove(reader);
	}

}
