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
		List<LogRecord> read = read(maxRecords);
		if (this.closed) {
			throw new LogClosedException("The reader is closed");
		}
		if (!read.isEmpty()) {
			this.next = read.getLast().offset() + 1;
		}
		return read;
	}

	private List<LogRecord> read(int maxRecords) {
		long from = Math.max(this.next, this.state.start());
		List<LogRecord> newest = this.state.newestFrom(from);
		return newest.isEmpty() ? this.records.read(this.partition, from, this.state.end(), maxRecords)
				: newest.subList(0, Math.min(newest.size(), maxRecords));
	}

	@Override
	public void close() {
		this.closed = true;
		this.state.wake();
	}

}
