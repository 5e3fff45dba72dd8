package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the bytes of a part of a stream while one thread reads it. Marks tell how many
 * of them lie below an offset, rounded down, and when the record there was written,
 * rounded to the past.
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
	 * Begins with the first record that is added.
	 * @param bytesToMark how exact the bytes are
	 * @param timeToMark how exact the times are
	 */
	ByteIndex(long bytesToMark, Duration timeToMark) {
		this.bytesToMark = bytesToMark;
		this.millisToMark = timeToMark.toMillis();
	}

	/** Adds the next record; one that was added before is left out. */
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

	/** The offset of the first record, -1 before there is one. */
	synchronized long first() {
		return this.first;
	}

	/** The offset after the last record, -1 before there is one. */
	synchronized long next() {
		return this.next;
	}

	long bytes() {
		return this.bytes;
	}

	/** What an offset takes on the average. */
	synchronized double bytesPerOffset() {
		return (this.records > 0) ? (double) this.bytes / this.records : 0;
	}

	/**
	 * How many bytes lie below an offset, at the least. Lower offsets can't be asked for
	 * afterwards.
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
	 * When the record at an offset was written, at the earliest, in milliseconds since
	 * 1970; {@link Long#MAX_VALUE} when it is not in this part.
	 */
	synchronized long time(long offset) {
		Map.Entry<Long, Mark> mark = (offset < this.next) ? this.marks.floorEntry(offset) : null;
		return (mark != null) ? mark.getValue().time() : Long.MAX_VALUE;
	}

	/**
	 * A record that is remembered.
	 *
	 * @param bytes how many came before it
	 */
	private record Mark(long bytes, long time) {
	}

}
