package io.parley.log.kafka;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.parley.log.LogClosedException;
import io.parley.log.LogUnavailableException;
import io.parley.log.claim.ReaderLease;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * A lease based on a consumer group. The readers of one name and partition form a group
 * on a topic with one partition; the member that owns this partition is the active
 * reader. A thread of its own maintains the membership, however long the reader is busy
 * with its records.
 *
 * <p>
 * The lease is valid only while the brokers have answered a heartbeat recently. A process
 * that was paused, or that the brokers can't reach, therefore does not continue after
 * they have assigned its lease to another reader.
 */
final class KafkaReaderLease implements ReaderLease {

	private static final Duration POLL = Duration.ofMillis(200);

	private static final Duration LEAVE = Duration.ofSeconds(2);

	/**
	 * Clearly shorter than the session timeout, which the brokers count from an earlier
	 * moment.
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

	private long term;

	/** No later than the brokers received the heartbeat that they answered last. */
	private long lastHeartbeat;

	KafkaReaderLease(Clients clients, String topic, String group, KafkaReaders readers) {
		this.clients = clients;
		this.topic = topic;
		this.group = group;
		this.readers = readers;
	}

	/** Joins the group; does nothing if it has joined already. */
	@Override
	public void enter() {
		this.lock.lock();
		try {
			throwIfEnded();
			if (!this.running) {
				this.readers.run(this::runMember);
				this.running = true;
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void runMember() {
		try {
			Consumer<byte[], byte[]> made = this.clients.member(this.group);
			try {
				runMember(made);
			}
			finally {
				made.close(CloseOptions.timeout(LEAVE));
			}
		}
		catch (WakeupException ex) {
			// The reader has ended.
		}
		catch (KafkaException ex) {
			fail(new LogUnavailableException("Reader '" + this.group + "' can't join its consumer group ("
					+ ex.getMessage() + "): check Kafka and the permissions of this user; the next attempt may succeed",
					ex));
		}
		finally {
			update(() -> {
				this.active = false;
				this.running = false;
			});
		}
	}

	private void runMember(Consumer<byte[], byte[]> made) {
		update(() -> this.consumer = made);
		Heartbeats heartbeats = new Heartbeats(made);
		Changes changes = new Changes(made);
		made.subscribe(List.of(this.topic), changes);
		while (!isEnded()) {
			changes.pollAt = System.nanoTime();
			made.poll(POLL);
			if (heartbeats.wereAnswered()) {
				answered(made, changes);
			}
		}
	}

	/**
	 * Extends the lease. The client sends a heartbeat when the one before was answered,
	 * so the answered one was not sent before the poll that saw the previous answer. A
	 * lease that has expired is not extended: an answer may be older than the pause that
	 * the process just went through, or may be an error. The member joins again instead.
	 */
	private void answered(Consumer<byte[], byte[]> member, Changes changes) {
		update(() -> {
			if (this.active && !holds()) {
				this.active = false;
				member.enforceRebalance("the lease expired");
			}
			this.lastHeartbeat = changes.answeredAt;
		});
		changes.answeredAt = changes.pollAt;
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
	 * Waits to become the active reader.
	 * @return the number of the term, 0 if the time has elapsed
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
			return holds() ? this.term : 0;
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public boolean isHeld(long term) {
		this.lock.lock();
		try {
			return holds() && this.term == term;
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean holds() {
		return this.active && System.nanoTime() - this.lastHeartbeat < LEASE_NANOS;
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

	/**
	 * Fails all waiting callers with this cause and leaves the group. Only the first
	 * cause is kept.
	 */
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

	/** Handles rebalances, on the thread that maintains the membership. */
	private final class Changes implements ConsumerRebalanceListener {

		private final Consumer<byte[], byte[]> member;

		/** The beginning of the current poll. */
		private long pollAt;

		/** The beginning of the last poll that saw an answered heartbeat. */
		private long answeredAt;

		Changes(Consumer<byte[], byte[]> member) {
			this.member = member;
		}

		/** Called after every rebalance; the collection is empty if nothing was added. */
		@Override
		public void onPartitionsAssigned(Collection<TopicPartition> added) {
			this.member.pause(added);
			boolean assigned = !this.member.assignment().isEmpty();
			this.answeredAt = this.pollAt;
			update(() -> {
				KafkaReaderLease.this.lastHeartbeat = this.pollAt;
				if (assigned && !KafkaReaderLease.this.active && KafkaReaderLease.this.end == null) {
					KafkaReaderLease.this.active = true;
					KafkaReaderLease.this.term++;
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
