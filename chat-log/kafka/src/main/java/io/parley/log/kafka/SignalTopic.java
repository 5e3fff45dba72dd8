package io.parley.log.kafka;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.parley.log.SignalBus;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signals through a topic of their own, which is read from its end. */
final class SignalTopic implements SignalBus {

	private static final Logger logger = LoggerFactory.getLogger(SignalTopic.class);

	private static final Duration POLL = Duration.ofSeconds(1);

	private final Clients clients;

	private final Admin admin;

	private final NewTopic topic;

	private final KafkaReaders readers;

	/** Distinguishes this process from the others. */
	private final long writer = ThreadLocalRandom.current().nextLong();

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile @Nullable Producer<byte[], byte[]> producer;

	SignalTopic(Clients clients, Admin admin, NewTopic topic, KafkaReaders readers) {
		this.clients = clients;
		this.admin = admin;
		this.topic = topic;
		this.readers = readers;
	}

	@Override
	public void publish(byte[] signal) {
		Producer<byte[], byte[]> current = this.producer;
		if (current == null) {
			return;
		}
		byte[] signed = ByteBuffer.allocate(Long.BYTES + signal.length).putLong(this.writer).put(signal).array();
		try {
			current.send(new ProducerRecord<>(this.topic.name(), signed));
		}
		catch (KafkaException | IllegalStateException ex) {
			logger.debug("A signal was dropped", ex);
		}
	}

	@Override
	public void listen(java.util.function.Consumer<byte[]> listener) {
		this.readers.registry().add((cause) -> this.closed.countDown());
		this.readers.run(() -> {
			try {
				while (!this.closed.await(0, TimeUnit.SECONDS)) {
					receiveUntilFailure(listener);
				}
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
	}

	private void receiveUntilFailure(java.util.function.Consumer<byte[]> listener) throws InterruptedException {
		try {
			declare();
			Producer<byte[], byte[]> made = this.clients.producer(this.topic.name());
			this.producer = made;
			try (Consumer<byte[], byte[]> consumer = this.clients.follower()) {
				TopicPartition partition = new TopicPartition(this.topic.name(), 0);
				consumer.assign(Set.of(partition));
				consumer.seekToEnd(List.of(partition));
				receive(consumer, listener);
			}
			finally {
				this.producer = null;
				made.close(Duration.ZERO);
			}
		}
		catch (KafkaException ex) {
			logger.debug("Kafka is not available for signals; retrying", ex);
			this.closed.await(POLL.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

	private void declare() throws InterruptedException {
		try {
			this.admin.createTopics(List.of(this.topic)).all().get();
		}
		catch (ExecutionException ex) {
			if (!(ex.getCause() instanceof TopicExistsException)) {
				throw new KafkaException(ex.getCause());
			}
		}
	}

	private void receive(Consumer<byte[], byte[]> consumer, java.util.function.Consumer<byte[]> listener) {
		while (this.closed.getCount() > 0) {
			consumer.poll(POLL).forEach((record) -> {
				byte[] signed = record.value();
				if (ByteBuffer.wrap(signed).getLong() != this.writer) {
					listener.accept(Arrays.copyOfRange(signed, Long.BYTES, signed.length));
				}
			});
		}
	}

}
