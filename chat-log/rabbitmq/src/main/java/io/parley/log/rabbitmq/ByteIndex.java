package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the bytes of a section of a stream while one thread reads it. Marks store how
 * many of these bytes are below an offset, rounded down, and when the record there was
 * written, rounded to the past.
 */
final class ByteIndex {

	private final long bytesToMark;

	private final long millisToMark;

	private final TreeMap<Long, Mark> marks = new TreeMap<>();

	private long first = -1;

	private long next = -1;

	private long records;

	private volatile long bytes;

	/**
	 * Creates an empty index. The section begins with the first record that is added.
	 * @param bytesToMark the precision of the byte counts
	 * @param timeToMark the precision of the times
	 */
	ByteIndex(long bytesToMark, Duration timeToMark) {
		this.bytesToMark = bytesToMark;
		this.millisToMark = timeToMark.toMillis();
	}

	/** Adds the next record; ignores a record that was added before. */
	synchronized void add(long offset, int size, long time) {
		if (offset < this.next) {
			return;
		}
		if (this.first < 0) {
			this.first = offset;
		}
		Map.Entry<Long, Mark> last = this.marks.lastEntry();
		if (last == null || this.bytes - last.getValue().bytes() >= this.bytesToMark
				|| time - last.getValue().time() >= this.millisToMark) {
			this.marks.put(offset, new Mark(this.bytes, time));
		}
		this.next = offset + 1;
		this.records++;
		this.bytes += size;
	}

	/** Returns the offset of the first record, -1 if there is none. */
	synchronized long first() {
		return this.first;
	}

	/** Returns the offset after the last record, -1 if there is none. */
	synchronized long next() {
		return this.next;
	}

	long bytes() {
		return this.bytes;
	}

	/** Returns the average number of bytes for an offset. */
	synchronized double bytesPerOffset() {
		return (this.records > 0) ? (double) this.bytes / this.records : 0;
	}

	/**
	 * Returns a lower bound of the number of bytes below an offset. Lower offsets can't
	 * be queried afterwards.
	 */
	synchronized long bytesBelow(long offset) {
		if (offset >= this.next) {
			return this.bytes;
		}
		Map.Entry<Long, Mark> mark = this.marks.floorEntry(offset);
		if (mark == null) {
			return 0;
		}
		this.marks.headMap(mark.getKey()).clear();
		return mark.getValue().bytes();
	}

	/**
	 * Returns the earliest time at which the record at an offset can have been written,
	 * in milliseconds since 1970. Returns {@link Long#MAX_VALUE} if the record is not in
	 * this section.
	 */
	synchronized long time(long offset) {
		Map.Entry<Long, Mark> mark = (offset < this.next) ? this.marks.floorEntry(offset) : null;
		return (mark != null) ? mark.getValue().time() : Long.MAX_VALUE;
	}

	/**
	 * A mark at a record.
	 *
	 * @param bytes the number of bytes before the record
	 */
	private record Mark(long bytes, long time) {
	}

}
