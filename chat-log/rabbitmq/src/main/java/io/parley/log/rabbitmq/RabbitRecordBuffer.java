package io.parley.log.rabbitmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import com.rabbitmq.stream.MessageHandler;
import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records that were delivered and not polled yet. There are few: to a reader with its own
 * consumer, the broker sends another chunk only when half of an earlier one was taken,
 * and other records are added only while there is space.
 */
final class RabbitRecordBuffer {

	private static final int MAX_RECORDS = 2_000;

	private static final int MAX_BYTES = 4 * 1024 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<Delivery> waiting = new ArrayDeque<>();

	private int bytes;

	private @Nullable Supplier<RuntimeException> end;

	boolean isEmpty() {
		this.lock.lock();
		try {
			return this.waiting.isEmpty();
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns whether so much is waiting that its reader has fallen behind. */
	boolean isFull() {
		this.lock.lock();
		try {
			return this.waiting.size() >= MAX_RECORDS || this.bytes >= MAX_BYTES;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Adds a record.
	 * @param context how to request further records, null if there is no need to
	 */
	void add(LogRecord record, MessageHandler.@Nullable Context context) {
		this.lock.lock();
		try {
			this.waiting.add(new Delivery(record, context));
			this.bytes += record.data().length;
			this.changed.signal();
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
		List<Delivery> taken = new ArrayList<>();
		this.lock.lockInterruptibly();
		try {
			long left = nanos;
			while (this.end == null && this.waiting.isEmpty() && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			throwIfEnded();
			for (int i = 0; i < maxRecords && !this.waiting.isEmpty(); i++) {
				Delivery next = this.waiting.remove();
				this.bytes -= next.record().data().length;
				taken.add(next);
			}
		}
		finally {
			this.lock.unlock();
		}
		taken.stream().map(Delivery::context).filter(Objects::nonNull).forEach(MessageHandler.Context::processed);
		return taken.stream().map(Delivery::record).toList();
	}

	private record Delivery(LogRecord record, MessageHandler.@Nullable Context context) {
	}

}
