package io.parley.log.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.parley.log.claim.ReaderLease;
import io.parley.log.LogClosedException;
import io.parley.log.LogUnavailableException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A place among the readers of one name and partition. They are a consumer group on a
 * topic with one partition: who owns that is the active one. A thread of its own keeps
 * the place, however long the reader is busy with its records.
 *
 * <p>
 * A turn counts only as long as the brokers have answered a heartbeat lately. So a
 * process that was stopped, or that they can't reach, does not go on when they have given
 * its turn to another.
 */
final class KafkaReaderLease implements ReaderLease {

	private static final Duration POLL = Duration.ofMillis(200);

	private static final Duration LEAVE = Duration.ofSeconds(2);

	/**
	 * Clearly shorter than the session, which the brokers count from an earlier moment.
	 */
	private static final long LEASE_NANOS = Clients.SESSION.toNanos() * 2 / 3;

	private final Clients clients;

	private final String topic;

	private final String group;

	private final KafkaReaders readers;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private boolean running;

	private @Nullable Consumer<byte[], byte[]> consumer;

	private @Nullable Supplier<RuntimeException> end;

	private @Nullable RuntimeException failure;

	private boolean active;

	private long turns;

	private long proof;

	KafkaReaderLease(Clients clients, String topic, String group, KafkaReaders readers) {
		this.clients = clients;
		this.topic = topic;
		this.group = group;
		this.readers = readers;
	}

	/** Stands in line; does nothing when it does already. */
	@Override
	public void enter() {
		this.lock.lock();
		try {
			throwIfEnded();
			if (!this.running) {
				this.readers.run(this::stand);
				this.running = true;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void stand() {
		try {
			Consumer<byte[], byte[]> made = this.clients.member(this.group);
			try {
				stand(made);
			}
			finally {
				made.close(CloseOptions.timeout(LEAVE));
			}
		}
		catch (WakeupException ex) {
			// Ended.
		}
		catch (KafkaException ex) {
			fail(new LogUnavailableException("Reader '" + this.group + "' can't stand in line (" + ex.getMessage()
					+ "): check Kafka and what this user may do; the next attempt may succeed", ex));
		}
		finally {
			update(() -> {
				this.active = false;
				this.running = false;
			});
		}
	}

	private void stand(Consumer<byte[], byte[]> made) {
		update(() -> this.consumer = made);
		Heartbeats heartbeats = new Heartbeats(made);
		made.subscribe(List.of(this.topic), new Changes(made));
		while (!isEnded()) {
			long before = System.nanoTime();
			made.poll(POLL);
			if (heartbeats.wereAnswered()) {
				update(() -> this.proof = before);
			}
		}
	}

	private void update(Runnable change) {
		this.lock.lock();
		try {
			change.run();
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void fail(RuntimeException failure) {
		update(() -> this.failure = failure);
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
			while (this.end == null && this.failure == null && !holds() && left > 0) {
				left = this.changed.awaitNanos(left);
			}
			throwIfEnded();
			RuntimeException failed = this.failure;
			if (failed != null) {
				this.failure = null;
				throw failed;
			}
			return holds() ? this.turns : 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isStill(long turn) {
		this.lock.lock();
		try {
			return holds() && this.turns == turn;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean holds() {
		return this.active && System.nanoTime() - this.proof < LEASE_NANOS;
	}

	private boolean isEnded() {
		this.lock.lock();
		try {
			return this.end != null;
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
		update(() -> {
			if (this.end == null) {
				this.end = cause;
			}
			this.active = false;
			if (this.consumer != null) {
				this.consumer.wakeup();
			}
		});
	}

	/** What the brokers tell; heard by the thread that keeps the place. */
	private final class Changes implements ConsumerRebalanceListener {

		private final Consumer<byte[], byte[]> member;

		Changes(Consumer<byte[], byte[]> member) {
			this.member = member;
		}

		/** Called whenever somebody comes or goes, with nothing when all stays. */
		@Override
		public void onPartitionsAssigned(Collection<TopicPartition> added) {
			this.member.pause(added);
			update(() -> {
				KafkaReaderLease.this.proof = System.nanoTime();
				if (!added.isEmpty() && KafkaReaderLease.this.end == null) {
					KafkaReaderLease.this.active = true;
					KafkaReaderLease.this.turns++;
				}
			});
		}

		@Override
		public void onPartitionsRevoked(Collection<TopicPartition> removed) {
			if (!removed.isEmpty()) {
				update(() -> KafkaReaderLease.this.active = false);
			}
		}

	}

}
