package io.parley.log.embedded;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;

/** Reads a partition from an offset. Between two polls it holds only the next offset. */
final class EmbeddedPartitionReader implements LogReader {

	private final int partition;

	private final EmbeddedPartitionState state;

	private final RecordStore records;

	private long next;

	private volatile boolean closed;

	EmbeddedPartitionReader(int partition, EmbeddedPartitionState state, RecordStore records, long fromOffset) {
		this.partition = partition;
		this.state = state;
		this.records = records;
		this.next = fromOffset;
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		if (!this.state.awaitRecord(this.next, TimeUnit.NANOSECONDS.convert(timeout), () -> this.closed)) {
			return List.of();
		}
		long from = Math.max(this.next, this.state.start());
		List<LogRecord> read = this.records.read(this.partition, from, this.state.end(), maxRecords);
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
		this.state.wake();
	}

}
