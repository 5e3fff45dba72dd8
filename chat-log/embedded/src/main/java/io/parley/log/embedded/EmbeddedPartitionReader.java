package io.parley.log.embedded;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;

/** Reads on from an offset; between two polls it holds that number and nothing else. */
final class EmbeddedPartitionReader implements LogReader {

	private final int partition;

	private final EmbeddedPartitionState tail;

	private final RecordStore records;

	private long next;

	private volatile boolean closed;

	EmbeddedPartitionReader(int partition, EmbeddedPartitionState tail, RecordStore records, long fromOffset) {
		this.partition = partition;
		this.tail = tail;
		this.records = records;
		this.next = fromOffset;
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		if (!this.tail.awaitRecord(this.next, TimeUnit.NANOSECONDS.convert(timeout), () -> this.closed)) {
			return List.of();
		}
		long from = Math.max(this.next, this.tail.start());
		List<LogRecord> read = this.records.read(this.partition, from, this.tail.end(), maxRecords);
		if (this.closed) {
			throw new LogClosedException("The reader is closed");
		}
		if (!read.isEmpty()) {
			this.next = read.getLast().offset() + 1;
		}
		return read;
	}

	@Override
	public void close() {
		this.closed = true;
		this.tail.wake();
	}

}
