package io.parley.log.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.LogUnavailableException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.WakeupException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a partition from an offset, with its own consumer and thread, which the first
 * poll starts. A lost connection is restored automatically.
 */
final class KafkaPartitionReader implements LogReader {

	private static final Duration FETCH = Duration.ofSeconds(1);

	private static final int PAUSE_MILLIS = 50;

	private final Clients clients;

	private final TopicPartition partition;

	private final KafkaPartitionState state;

	private final KafkaReaders readers;

	private final java.util.function.Consumer<Supplier<RuntimeException>> onLogEnd = this::end;

	private final KafkaRecordBuffer buffer = new KafkaRecordBuffer();

	private final AtomicBoolean running = new AtomicBoolean();

	private volatile @Nullable Consumer<byte[], byte[]> consumer;

	private volatile long next;

	KafkaPartitionReader(Clients clients, TopicPartition partition, long fromOffset, KafkaPartitionState state,
			KafkaReaders readers) {
		this.clients = clients;
		this.partition = partition;
		this.next = Math.max(0, fromOffset);
		this.state = state;
		this.readers = readers;
		readers.registry().add(this.onLogEnd);
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		this.buffer.throwIfEnded();
		if (this.running.compareAndSet(false, true)) {
			this.readers.run(this::read);
		}
		return this.buffer.take(maxRecords, TimeUnit.NANOSECONDS.convert(timeout));
	}

	private void read() {
		try {
			Consumer<byte[], byte[]> made = this.clients.follower();
			this.consumer = made;
			try {
				read(made);
			}
			finally {
				made.close(CloseOptions.timeout(FETCH));
			}
		}
		catch (WakeupException ex) {
			// The reader was closed.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (KafkaException ex) {
			this.buffer.fail(new LogUnavailableException(
					"Partition " + this.partition.partition() + " of the log can't be read now (" + ex.getMessage()
							+ "): check Kafka and the permissions of this user; the next attempt may succeed",
					ex));
		}
		finally {
			this.running.set(false);
		}
	}

	private void read(Consumer<byte[], byte[]> from) throws InterruptedException {
		from.assign(Set.of(this.partition));
		from.seek(this.partition, this.next);
		while (this.buffer.awaitRoom()) {
			try {
				pollOnce(from);
			}
			catch (RetriableException ex) {
				this.buffer.pause(PAUSE_MILLIS);
			}
		}
	}

	private void pollOnce(Consumer<byte[], byte[]> from) throws InterruptedException {
		try {
			deliver(from.poll(FETCH).records(this.partition));
		}
		catch (OffsetOutOfRangeException ex) {
			seekIntoRange(from);
		}
	}

	/**
	 * Moves to an offset in range. Before the start of the partition, reading begins at
	 * the start; beyond the end, it waits until there are more records.
	 */
	private void seekIntoRange(Consumer<byte[], byte[]> from) throws InterruptedException {
		long start = from.beginningOffsets(Set.of(this.partition)).getOrDefault(this.partition, 0L);
		if (this.next < start) {
			this.next = start;
		}
		else {
			this.buffer.pause(PAUSE_MILLIS);
		}
		from.seek(this.partition, this.next);
	}

	/** Buffers the records. Skips empty messages, which are not from a log. */
	private void deliver(List<ConsumerRecord<byte[], byte[]>> fetched) {
		if (fetched.isEmpty()) {
			return;
		}
		List<LogRecord> records = new ArrayList<>(fetched.size());
		for (ConsumerRecord<byte[], byte[]> record : fetched) {
			byte[] data = record.value();
			if (data != null && data.length > 0) {
				records.add(new LogRecord(record.partition(), record.offset(), data));
			}
		}
		this.next = fetched.getLast().offset() + 1;
		this.state.endAt(this.next);
		this.buffer.add(records);
	}

	@Override
	public void close() {
		this.readers.registry().remove(this.onLogEnd);
		end(() -> new LogClosedException("The reader is closed"));
	}

	private void end(Supplier<RuntimeException> cause) {
		this.buffer.end(cause);
		Consumer<byte[], byte[]> open = this.consumer;
		if (open != null) {
			open.wakeup();
		}
	}

}
