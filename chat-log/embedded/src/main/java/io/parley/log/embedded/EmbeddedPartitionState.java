package io.parley.log.embedded;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.parley.log.LogClosedException;

/**
 * The range of readable offsets of a partition. The writer advances the end once records
 * are synced; readers wait for it here.
 */
final class EmbeddedPartitionState {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile long start;

	private volatile long end;

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

	void endAt(long offset) {
		this.end = offset;
		wake();
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
