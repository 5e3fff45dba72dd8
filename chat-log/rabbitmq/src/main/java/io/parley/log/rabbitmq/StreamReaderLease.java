package io.parley.log.rabbitmq;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerFlowStrategy;
import com.rabbitmq.stream.ConsumerUpdateListener;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import io.parley.log.LogClosedException;
import io.parley.log.claim.ReaderLease;
import org.jspecify.annotations.Nullable;

/**
 * A lease that the broker grants to a single active consumer. The consumer receives no
 * records: only the polling thread knows which one to begin with, and the connection must
 * not wait for that.
 */
final class StreamReaderLease implements ReaderLease {

	private final Environment environment;

	private final String stream;

	private final String reader;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Outage outage;

	private volatile ResourceState consumerState = new ResourceState();

	private @Nullable Consumer consumer;

	private @Nullable Supplier<RuntimeException> end;

	private boolean active;

	private long term;

	StreamReaderLease(Environment environment, String stream, String reader) {
		this.environment = environment;
		this.stream = stream;
		this.reader = reader;
		this.outage = new Outage("Reader '" + reader + "' can't register as a consumer of " + stream);
	}

	/**
	 * Registers the consumer, if the broker is available; does nothing if it is
	 * registered already.
	 */
	@Override
	public void enter() {
		this.lock.lock();
		try {
			throwIfEnded();
			if (this.consumer != null && !this.consumerState.isClosed()) {
				return;
			}
			this.active = false;
		}
		finally {
			this.lock.unlock();
		}
		this.outage.attempt(() -> {
			ResourceState state = new ResourceState();
			enter(connect(state), state);
		});
	}

	private void enter(Consumer made, ResourceState state) {
		this.lock.lock();
		try {
			this.consumer = made;
			this.consumerState = state;
			if (this.end == null) {
				return;
			}
		}
		finally {
			this.lock.unlock();
		}
		made.close();
	}

	private Consumer connect(ResourceState state) {
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
			.listeners(state)
			.build();
	}

	private OffsetSpecification update(ConsumerUpdateListener.Context update) {
		this.lock.lock();
		try {
			this.active = update.isActive();
			if (this.active) {
				this.term++;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
		return OffsetSpecification.next();
	}

	/**
	 * Waits to become the active reader.
	 * @return the number of the term, 0 if the time has elapsed
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
			return this.active ? this.term : 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isHeld(long term) {
		this.lock.lock();
		try {
			return this.active && this.term == term;
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

	/**
	 * Fails all waiting callers with this cause and closes the consumer. Only the first
	 * cause is kept.
	 */
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

	/** Grants no credit, so the broker sends nothing. */
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
