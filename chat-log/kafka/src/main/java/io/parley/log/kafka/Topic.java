package io.parley.log.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.stream.Collectors;

import io.parley.log.LogUnavailableException;
import io.parley.log.kafka.TopicState.PartitionState;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.admin.ReplicaInfo;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.jspecify.annotations.Nullable;

/**
 * The topic of the log, as its brokers see it. All methods query the brokers, wait for up
 * to a few seconds, and throw {@link KafkaException}.
 */
final class Topic {

	private final Admin admin;

	private final KafkaTopology topology;

	private final TopicPartition leases;

	private volatile int minInSync = 1;

	Topic(Admin admin, KafkaTopology topology) {
		this.admin = admin;
		this.topology = topology;
		this.leases = new TopicPartition(topology.leases().name(), 0);
	}

	String name() {
		return this.topology.log().name();
	}

	TopicPartition partition(int number) {
		return new TopicPartition(name(), number);
	}

	/**
	 * Creates the missing topics; existing topics stay unchanged.
	 * @throws LogUnavailableException if there is a log with another number of
	 * partitions, or one that can't be used
	 */
	void declare() {
		Map<String, KafkaFuture<Void>> made = this.admin.createTopics(this.topology.all()).values();
		for (NewTopic topic : this.topology.all()) {
			try {
				await(made.get(topic.name()));
			}
			catch (TopicExistsException ex) {
				// Created earlier, or by another process just now.
			}
		}
		int partitions = describe().partitions().size();
		if (partitions != this.topology.log().numPartitions()) {
			throw new LogUnavailableException("The log in topic '" + name() + "' has " + partitions + " partitions, "
					+ this.topology.log().numPartitions() + " are configured: set it back to " + partitions
					+ ", or begin a new log with another chat.log.kafka.topic");
		}
		check(config());
	}

	private void check(Config config) {
		this.minInSync = Integer.parseInt(value(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG));
		boolean unlimited = value(config, TopicConfig.CLEANUP_POLICY_CONFIG).equals(TopicConfig.CLEANUP_POLICY_DELETE)
				&& value(config, TopicConfig.RETENTION_MS_CONFIG).equals("-1")
				&& value(config, TopicConfig.RETENTION_BYTES_CONFIG).equals("-1");
		if (!unlimited) {
			throw new LogUnavailableException("Topic '" + name() + "' removes records by itself, including unread"
					+ " ones: set its cleanup.policy=delete, retention.ms=-1 and retention.bytes=-1; the log"
					+ " itself removes old records that were read");
		}
	}

	private static String value(Config config, String key) {
		return String.valueOf(config.get(key).value());
	}

	private Config config() {
		ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name());
		return await(this.admin.describeConfigs(List.of(resource)).values().get(resource));
	}

	private TopicDescription describe() {
		return await(this.admin.describeTopics(List.of(name())).topicNameValues().get(name()));
	}

	TopicState state() {
		TopicDescription topic = describe();
		Map<Integer, Long> starts = offsets(topic, OffsetSpec.earliest());
		Map<Integer, Long> ends = offsets(topic, OffsetSpec.latest());
		return new TopicState(identity(topic), this.minInSync,
				topic.partitions()
					.stream()
					.map((partition) -> new PartitionState(partition, starts.getOrDefault(partition.partition(), -1L),
							ends.getOrDefault(partition.partition(), -1L)))
					.toList());
	}

	private String identity(TopicDescription topic) {
		long losses = losses();
		return topic.topicId() + ((losses > 0) ? "-" + losses : "");
	}

	/** Returns how many times the log has lost records. */
	long losses() {
		return offset(this.leases, OffsetSpec.latest());
	}

	/** Returns the offsets of the partitions whose leader can be asked. */
	private Map<Integer, Long> offsets(TopicDescription topic, OffsetSpec spec) {
		List<TopicPartition> led = topic.partitions()
			.stream()
			.filter((partition) -> partition.leader() != null && !partition.leader().isEmpty())
			.map((partition) -> partition(partition.partition()))
			.toList();
		ListOffsetsResult result = this.admin
			.listOffsets(led.stream().collect(Collectors.toMap(Function.identity(), (partition) -> spec)));
		return led.stream()
			.collect(Collectors.toMap(TopicPartition::partition,
					(partition) -> orMissing(result.partitionResult(partition))));
	}

	private static long orMissing(KafkaFuture<ListOffsetsResultInfo> offset) {
		try {
			return await(offset).offset();
		}
		catch (RetriableException ex) {
			return -1;
		}
	}

	/** Returns the offset of the oldest record. */
	long start(int number) {
		return offset(partition(number), OffsetSpec.earliest());
	}

	/** Returns the offset after the newest record. */
	long end(int number) {
		return offset(partition(number), OffsetSpec.latest());
	}

	/**
	 * Returns the first offset that was appended within this time, -1 if all records are
	 * older.
	 */
	long since(int number, Duration age) {
		return offset(partition(number), OffsetSpec.forTimestamp(System.currentTimeMillis() - age.toMillis()));
	}

	private long offset(TopicPartition partition, OffsetSpec spec) {
		return await(this.admin.listOffsets(Map.of(partition, spec)).partitionResult(partition)).offset();
	}

	/** Returns how many bytes the leader stores of the partition. */
	long size(int number) {
		TopicPartitionInfo info = describe().partitions().get(number);
		int leader = info.leader().id();
		return await(this.admin.describeLogDirs(List.of(leader)).descriptions().get(leader)).values()
			.stream()
			.map((directory) -> directory.replicaInfos().get(partition(number)))
			.mapToLong(Topic::sizeOf)
			.max()
			.orElse(0);
	}

	private static long sizeOf(@Nullable ReplicaInfo replica) {
		return (replica != null) ? replica.size() : 0;
	}

	/**
	 * Removes all records below this offset.
	 * @return the new offset of the oldest record
	 */
	long removeBelow(int number, long offset) {
		TopicPartition partition = partition(number);
		return await(this.admin.deleteRecords(Map.of(partition, RecordsToDelete.beforeOffset(offset)))
			.lowWatermarks()
			.get(partition)).lowWatermark();
	}

	private static <T> T await(@Nullable KafkaFuture<T> answer) {
		if (answer == null) {
			throw new KafkaException("No answer");
		}
		try {
			return answer.get();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new KafkaException("Interrupted while waiting for Kafka", ex);
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof KafkaException cause) ? cause : new KafkaException(ex.getCause());
		}
	}

}
