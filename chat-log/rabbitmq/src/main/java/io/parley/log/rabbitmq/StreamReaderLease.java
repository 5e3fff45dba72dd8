package io.parley.log.rabbitmq;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerFlowStrategy;
import com.rabbitmq.stream.ConsumerUpdateListener;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Resource;
import io.parley.log.claim.ReaderLease;
import io.parley.log.LogClosedException;
import org.jspecify.annotations.Nullable;

/**
 * A place among the readers of one name, kept by the broker as a single active consumer.
 * It takes no records: which one to begin with is known only to the thread that polls,
 * and the connection must not wait for that.
 */
final class StreamReaderLease implements ReaderLease {

	private final Environment environment;

	private final String stream;

	private final String reader;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Outage outage;

	private volatile boolean lost;

	private @Nullable Consumer consumer;

	private @Nullable Supplier<RuntimeException> end;

	private boolean active;

	private long turns;

	StreamReaderLease(Environment environment, String stream, String reader) {
		this.environment = environment;
		this.stream = stream;
		this.reader = reader;
		this.outage = new Outage("Reader '" + reader + "' can't stand in line at " + stream);
	}

	/** Stands in line, if the broker is there; does nothing when it does already. */
	@Override
	public void enter() {
		this.lock.lock();
		try {
			throwIfEnded();
			if (this.consumer != null && !this.lost) {
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		this.outage.attempt(() -> enter(connect()));
	}

	private void enter(Consumer made) {
		this.lock.lock();
		try {
			this.consumer = made;
			if (this.end == null) {
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		made.close();
	}

	private Consumer connect() {
		return this.environment.consumerBuilder()
			.stream(this.stream)
			.name(this.reader)
			.singleActiveConsumer()
			.noTrackingStrategy()
			.consumerUpdateListener(this::update)
			.offset(OffsetSpecification.next())
			.flow()
			.strategy(new NoRecords())
			.builder()
			.messageHandler((context, message) -> {
			})
			.listeners((change) -> this.lost = change.currentState() == Resource.State.CLOSED)
			.build();
	}

	private OffsetSpecification update(ConsumerUpdateListener.Context update) {
		this.lock.lock();
		try {
			this.active = update.isActive();
			if (this.active) {
				this.turns++;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		return OffsetSpecification.next();
	}

	/**
	 * Waits to become the active one.
	 * @return the number of this turn, 0 when the time is over
	 */
	@Override
	public long await(long nanos) throws InterruptedException {
		this.lock.lockInterruptibly();
		try {
			long left = nanos;
			while (this.end == null && !this.active && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			throwIfEnded();
			return this.active ? this.turns : 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isStill(long turn) {
		this.lock.lock();
		try {
			return this.active && this.turns == turn;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void throwIfEnded() {
		if (this.end != null) {
			throw this.end.get();
		}
	}

	@Override
	public void leave() {
		end(() -> new LogClosedException("The reader is closed"));
	}

	/** The first cause stays. */
	@Override
	public void end(Supplier<RuntimeException> cause) {
		Consumer open;
		this.lock.lock();
		try {
			if (this.end == null) {
				this.end = cause;
			}
			this.active = false;
			this.changed.signalAll();
			open = this.consumer;
		}
		finally {
			this.lock.unlock();
		}
		if (open != null) {
			open.close();
		}
	}

	/** Without credit the broker sends nothing. */
	private static final class NoRecords implements ConsumerFlowStrategy {

		@Override
		public int initialCredits() {
			return 0;
		}

		@Override
		public MessageProcessedCallback start(Context chunk) {
			return (message) -> {
			};
		}

	}

}
