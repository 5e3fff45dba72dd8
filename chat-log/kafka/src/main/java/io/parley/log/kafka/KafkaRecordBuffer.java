package io.parley.log.kafka;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records that were fetched and not polled yet. More are fetched only while fewer bytes
 * than the limit are waiting.
 */
final class KafkaRecordBuffer {

	private static final int MAX_WAITING_BYTES = 512 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<LogRecord> waiting = new ArrayDeque<>();

	private long bytes;

	private @Nullable RuntimeException failure;

	private @Nullable Supplier<RuntimeException> end;

	/** Waits until more may be added. Returns false if the buffer has ended. */
	boolean awaitRoom() throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			while (this.end == null && this.bytes >= MAX_WAITING_BYTES) {
				this.changed.await();
			}
			return this.end == null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Waits for this time, or less if the buffer ends. */
	void pause(long millis) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = TimeUnit.MILLISECONDS.toNanos(millis);
			while (this.end == null && left > 0) {
				left = this.changed.awaitNanos(left);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	void add(List<LogRecord> records) {
		this.lock.lock();
		try {
			this.waiting.addAll(records);
			records.forEach((record) -> this.bytes += record.data().length);
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Makes one call of {@link #take} fail, after all earlier records were taken. */
	void fail(RuntimeException failure) {
		this.lock.lock();
		try {
			this.failure = failure;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Ends the buffer: current and future calls that take records fail with this cause.
	 * The first cause is kept.
	 */
	void end(Supplier<RuntimeException> cause) {
		this.lock.lock();
		try {
			if (this.end == null) {
				this.end = cause;
			}
			this.waiting.clear();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	void throwIfEnded() {
		this.lock.lock();
		try {
			if (this.end != null) {
				throw this.end.get();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes up to {@code maxRecords} records. Waits for the first one; returns an empty
	 * list if none arrived in time.
	 */
	List<LogRecord> take(int maxRecords, long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = nanos;
			while (this.end == null && this.failure == null && this.waiting.isEmpty() && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			throwIfEnded();
			throwIfFailed();
			List<LogRecord> taken = new ArrayList<>();
			while (taken.size() < maxRecords && !this.waiting.isEmpty()) {
				LogRecord record = this.waiting.remove();
				this.bytes -= record.data().length;
				taken.add(record);
			}
			this.changed.signalAll();
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void throwIfFailed() {
		RuntimeException failed = this.failure;
		if (failed != null && this.waiting.isEmpty()) {
			this.failure = null;
			throw failed;
		}
	}

}
