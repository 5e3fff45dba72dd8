package io.parley.log.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a {@link KafkaRoomLog} is opened with.
 *
 * @param bootstrapServers {@code host:port} of some brokers
 * @param topic holds the log; {@code <topic>-turns} holds the turns of its readers
 * @param partitions 1 to 1,024; fixed once the log is made
 * @param replication how many brokers keep each record, counts when the topic is made; a
 * majority of them must have a record before it is confirmed
 * @param properties of every client, such as {@code security.protocol}
 * @param maxAge how long a record is kept at the least, if there is space
 * @param maxLengthBytes how many bytes of read records a partition keeps, about
 * @param segmentBytes how many bytes are let go at once; counts when the topic is made
 * @param confirmTimeout after how long without a confirm an append has an unknown outcome
 * @param maxInFlight how many appends may wait for their confirm
 * @param startTimeout how long to try to reach the brokers when the log is opened
 */
public record KafkaLogSettings(List<String> bootstrapServers, String topic, int partitions, int replication,
		Map<String, String> properties, Duration maxAge, long maxLengthBytes, long segmentBytes,
		Duration confirmTimeout, int maxInFlight, Duration startTimeout) {

	private static final int MAX_PARTITIONS = 1024;

	public KafkaLogSettings {
		bootstrapServers = List.copyOf(bootstrapServers);
		properties = Map.copyOf(properties);
		if (bootstrapServers.isEmpty()) {
			throw new IllegalArgumentException("At least one address of Kafka is needed");
		}
		if (partitions < 1 || partitions > MAX_PARTITIONS) {
			throw new IllegalArgumentException("A log has 1 to " + MAX_PARTITIONS + " partitions, not " + partitions);
		}
		if (replication < 1 || maxInFlight < 1 || !confirmTimeout.isPositive()) {
			throw new IllegalArgumentException(
					"The replication, appends in flight and the confirm timeout must be positive");
		}
	}

	/** For sentences: where the brokers are. */
	String where() {
		return "Kafka at " + String.join(", ", this.bootstrapServers);
	}
}
