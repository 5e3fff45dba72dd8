package io.parley.log.rabbitmq;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import com.rabbitmq.stream.MessageHandler;
import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Records that were delivered and not polled yet. There are few, because the broker sends
 * another chunk only when half of an earlier one was taken.
 */
final class RabbitRecordBuffer {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<Delivery> waiting = new ArrayDeque<>();

	private @Nullable Supplier<RuntimeException> end;

	void add(LogRecord record, MessageHandler.Context context) {
		this.lock.lock();
		try {
			this.waiting.add(new Delivery(record, context));
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
				taken.add(this.waiting.remove());
			}
		}
		finally {
			this.lock.unlock();
		}
		taken.forEach((delivery) -> delivery.context().processed());
		return taken.stream().map(Delivery::record).toList();
	}

	private record Delivery(LogRecord record, MessageHandler.Context context) {
	}

}
