package io.parley.loadtest.study.contention;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes requests as records to one partition. A single consumer applies them, and a
 * request is answered when it has been applied.
 */
final class KafkaJoiner implements Joiner {

	private static final String TOPIC = "joins";

	private static final int LONGEST_SECONDS = 30;

	private final RoomTable rooms;

	private final KafkaBroker broker;

	private final Map<String, CompletableFuture<Boolean>> waiting = new ConcurrentHashMap<>();

	private final AtomicLong requests = new AtomicLong();

	private final KafkaProducer<String, String> producer;

	private final KafkaConsumer<String, String> consumer;

	private final Thread thread = new Thread(this::consume, "joins");

	KafkaJoiner(RoomTable rooms, Path folder) throws Exception {
		this.rooms = rooms;
		this.broker = new KafkaBroker(folder);
		String address = this.broker.address();
		try (Admin admin = Admin.create(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address))) {
			admin.createTopics(List.of(new NewTopic(TOPIC, 1, (short) 1))).all().get(LONGEST_SECONDS, TimeUnit.SECONDS);
		}
		this.producer = new KafkaProducer<>(
				Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, address, ProducerConfig.LINGER_MS_CONFIG, 0),
				new StringSerializer(), new StringSerializer());
		this.consumer = new KafkaConsumer<>(
				Map.of(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, address, ConsumerConfig.GROUP_ID_CONFIG, TOPIC,
						ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest"),
				new StringDeserializer(), new StringDeserializer());
		this.consumer.assign(List.of(new TopicPartition(TOPIC, 0)));
		this.thread.start();
	}

	@Override
	public boolean join(String room, String user) throws Exception {
		String request = Long.toString(this.requests.incrementAndGet());
		CompletableFuture<Boolean> answer = new CompletableFuture<>();
		this.waiting.put(request, answer);
		try {
			this.producer.send(new ProducerRecord<>(TOPIC, request, room + " " + user), (sent, failure) -> {
				if (failure != null) {
					answer.completeExceptionally(failure);
				}
			});
			return answer.get(LONGEST_SECONDS, TimeUnit.SECONDS);
		}
		finally {
			this.waiting.remove(request);
		}
	}

	private void consume() {
		try (this.consumer) {
			while (true) {
				this.consumer.poll(Duration.ofSeconds(1)).forEach(this::apply);
			}
		}
		catch (WakeupException ex) {
			// Thrown when the consumer is closed.
		}
	}

	private void apply(ConsumerRecord<String, String> request) {
		CompletableFuture<Boolean> answer = Objects.requireNonNullElseGet(this.waiting.get(request.key()),
				CompletableFuture::new);
		String[] roomAndUser = request.value().split(" ");
		try {
			answer.complete(Joiner.plain(this.rooms, roomAndUser[0], roomAndUser[1]));
		}
		catch (Exception ex) {
			answer.completeExceptionally(ex);
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.consumer.wakeup();
		this.thread.join();
		this.producer.close();
		this.broker.close();
	}

}
