package io.parley.log.embedded;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

import io.parley.log.LogClosedException;

/**
 * Which offsets of a partition can be read. The writer moves the end once records are
 * synced; readers wait here for it.
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

	/** Lets waiting readers look again at what they wait for. */
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
	 * Waits until there is a record at that offset.
	 * @param gone whether the reader was closed
	 * @return false when the time is over
	 * @throws LogClosedException when the reader or the log was closed
	 */
	boolean awaitRecord(long offset, long nanos, BooleanSupplier gone) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = nanos;
			while (true) {
				if (this.closed || gone.getAsBoolean()) {
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
