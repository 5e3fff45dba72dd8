package io.parley.log.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Settings of a {@link KafkaRoomLog}.
 *
 * @param bootstrapServers {@code host:port} of some brokers
 * @param topic the topic of the log; {@code <topic>-turns} holds the leases of its
 * readers
 * @param partitions 1 to 1,024; fixed once the log is created
 * @param replication the number of brokers that keep each record; a majority of them must
 * have a record before it is confirmed. Applies when the topic is created
 * @param properties for every client, such as {@code security.protocol}
 * @param maxAge the minimum time to keep a record, if there is space
 * @param maxLengthBytes approximately how many bytes of read records a partition keeps
 * @param segmentBytes how many bytes are removed at once; applies when the topic is
 * created
 * @param confirmTimeout how long to wait for a confirmation before the outcome of an
 * append is unknown
 * @param maxInFlight the maximum number of unconfirmed appends
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
			throw new IllegalArgumentException("At least one Kafka address is required");
		}
		if (partitions < 1 || partitions > MAX_PARTITIONS) {
			throw new IllegalArgumentException("A log has 1 to " + MAX_PARTITIONS + " partitions, not " + partitions);
		}
		if (replication < 1 || maxInFlight < 1 || !confirmTimeout.isPositive()) {
			throw new IllegalArgumentException("Replication, appends in flight and confirm timeout must be positive");
		}
	}

	/** Returns the address of the brokers, for use in messages. */
	String where() {
		return "Kafka at " + String.join(", ", this.bootstrapServers);
	}
}
