package io.parley.log.embedded;

import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.parley.log.LogClosedException;
import io.parley.log.LogRecord;

/**
 * The range of readable offsets of a partition, and its newest records. The writer adds
 * records once they are synced; readers wait for them here.
 */
final class EmbeddedPartitionState {

	private static final int MAX_NEWEST_BYTES = 256 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile long start;

	private volatile long end;

	/**
	 * The records that were added last. A reader that is up to date, such as live
	 * delivery, then reads no others, and none from the store.
	 */
	private volatile List<LogRecord> newest = List.of();

	private boolean closed;

	EmbeddedPartitionState(long start, long end) {
		this.start = start;
		this.end = end;
	}

	long start() {
		return this.start;
	}

	long end() {
		return this.end;
	}

	void startAt(long offset) {
		this.start = offset;
	}

	/** Makes records readable. The offset of the first is the end until now. */
	void append(List<LogRecord> records) {
		long bytes = records.stream().mapToLong((record) -> record.data().length).sum();
		this.newest = (bytes <= MAX_NEWEST_BYTES) ? records : List.of();
		this.end = records.getLast().offset() + 1;
		wake();
	}

	/**
	 * Returns the records from an offset on, if all of them are in memory; otherwise an
	 * empty list.
	 */
	List<LogRecord> newestFrom(long offset) {
		List<LogRecord> records = this.newest;
		if (records.isEmpty() || offset < records.getFirst().offset() || offset > records.getLast().offset()) {
			return List.of();
		}
		return records.subList((int) (offset - records.getFirst().offset()), records.size());
	}

	/** Wakes the waiting readers, which then check their condition again. */
	void wake() {
		this.lock.lock();
		try {
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Waits until there is a record at this offset.
	 * @param readerClosed returns whether the reader was closed
	 * @return false if the time has elapsed
	 * @throws LogClosedException if the reader or the log was closed
	 */
	boolean awaitRecord(long offset, long nanos, BooleanSupplier readerClosed) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = nanos;
			while (true) {
				if (this.closed || readerClosed.getAsBoolean()) {
					throw new LogClosedException(this.closed ? "The log is closed" : "The reader is closed");
				}
				if (this.end > offset) {
					return true;
				}
				if (left <= 0) {
					return false;
				}
				left = this.changed.awaitNanos(left);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

}
