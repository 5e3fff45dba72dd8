package io.parley.log.kafka;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.log.LogUnavailableException;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates the Kafka clients of a log. Settings that the log relies on can't be
 * overridden.
 */
final class Clients {

	/**
	 * After this time without a heartbeat the brokers assign the lease to another reader.
	 */
	static final Duration SESSION = Duration.ofSeconds(6);

	private static final int TIMEOUT_MILLIS = 5_000;

	private static final long METADATA_POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private static final int MAX_RECONNECT_PAUSE_MILLIS = 2_000;

	private static final int MEGABYTE = 1024 * 1024;

	private final KafkaLogSettings settings;

	/**
	 * Checks the properties; creates no clients yet.
	 * @throws LogUnavailableException if a property is given that can't be set
	 */
	Clients(KafkaLogSettings settings) {
		this.settings = settings;
		with(forAdmin());
		with(forProducer());
		with(forFollower());
		with(forMember("any"));
	}

	Admin admin() {
		return Admin.create(with(forAdmin()));
	}

	/**
	 * Creates a producer that has the metadata of the topic already, because its first
	 * append can't wait for it.
	 * @param topic to append to
	 * @throws TimeoutException if the brokers don't provide the metadata in time
	 */
	Producer<byte[], byte[]> producer(String topic) {
		Producer<byte[], byte[]> made = new KafkaProducer<>(with(forProducer()), new ByteArraySerializer(),
				new ByteArraySerializer());
		long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MILLIS);
		try {
			while (!hasMetadata(made, topic, deadline)) {
				LockSupport.parkNanos(METADATA_POLL_NANOS);
			}
			return made;
		}
		catch (KafkaException ex) {
			made.close(Duration.ZERO);
			throw ex;
		}
	}

	private static boolean hasMetadata(Producer<byte[], byte[]> producer, String topic, long deadline) {
		try {
			return !producer.partitionsFor(topic).isEmpty();
		}
		catch (TimeoutException ex) {
			if (System.nanoTime() > deadline) {
				throw ex;
			}
			return false;
		}
	}

	/** Creates a consumer that is not part of a group. */
	Consumer<byte[], byte[]> follower() {
		return consumer(forFollower());
	}

	/** Creates a consumer that is a member of a group. */
	Consumer<byte[], byte[]> member(String group) {
		return consumer(forMember(group));
	}

	private Consumer<byte[], byte[]> consumer(Map<String, Object> own) {
		return new KafkaConsumer<>(with(own), new ByteArrayDeserializer(), new ByteArrayDeserializer());
	}

	private static Map<String, Object> forAdmin() {
		return Map.of(CommonClientConfigs.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS,
				CommonClientConfigs.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS / 2);
	}

	/**
	 * Returns the producer settings. Appends never wait: without metadata or memory they
	 * are refused. The metadata is kept however long nothing is appended, because the
	 * next append can't wait for it.
	 */
	private Map<String, Object> forProducer() {
		int confirm = (int) Math.min(Integer.MAX_VALUE, this.settings.confirmTimeout().toMillis());
		Map<String, Object> own = new HashMap<>();
		own.put(ProducerConfig.ACKS_CONFIG, "all");
		own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
		own.put(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, 5);
		own.put(ProducerConfig.LINGER_MS_CONFIG, 1);
		own.put(ProducerConfig.BATCH_SIZE_CONFIG, 64 * 1024);
		own.put(ProducerConfig.BUFFER_MEMORY_CONFIG, 32 * MEGABYTE);
		own.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, 0);
		own.put(ProducerConfig.METADATA_MAX_IDLE_CONFIG, Duration.ofDays(36_500).toMillis());
		own.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, confirm);
		own.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, Math.max(1, confirm / 2));
		return own;
	}

	private static Map<String, Object> forFollower() {
		return Map.of(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none", ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
				ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false, ConsumerConfig.FETCH_MAX_BYTES_CONFIG, MEGABYTE,
				ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, MEGABYTE, ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
				TIMEOUT_MILLIS, ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_MILLIS / 2);
	}

	/**
	 * Returns the settings of a group member. It uses the classic protocol, because in
	 * the newer one the session timeout is set only by the brokers.
	 */
	private static Map<String, Object> forMember(String group) {
		return Map.of(ConsumerConfig.GROUP_ID_CONFIG, group, ConsumerConfig.GROUP_PROTOCOL_CONFIG, "classic",
				ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG, CooperativeStickyAssignor.class.getName(),
				ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) SESSION.toMillis(),
				ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, 500, ConsumerConfig.MAX_POLL_INTERVAL_MS_CONFIG, 30_000,
				ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest", ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false,
				ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
	}

	private Map<String, Object> with(Map<String, Object> own) {
		Map<String, Object> all = new HashMap<>(own);
		all.put(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG, this.settings.bootstrapServers());
		all.put(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, MAX_RECONNECT_PAUSE_MILLIS);
		all.put(CommonClientConfigs.ENABLE_METRICS_PUSH_CONFIG, false);
		this.settings.properties().forEach((key, value) -> {
			if (all.put(key, value) != null) {
				throw new LogUnavailableException("chat.log.kafka.properties." + key
						+ " can't be set, because the log sets it itself: remove it");
			}
		});
		return all;
	}

}
