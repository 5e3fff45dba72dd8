package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.List;

/**
 * What a {@link RabbitRoomLog} is opened with.
 *
 * @param addresses {@code host:port} of the stream listener; one address is always used
 * as it is, so it may be that of a load balancer; of several, all nodes of a cluster, the
 * addresses count that the nodes advertise
 * @param username who may declare, write and read streams
 * @param password of that user
 * @param virtualHost where the streams are
 * @param streamPrefix the streams are called {@code <prefix>.<partition>} and
 * {@code <prefix>.identity}
 * @param partitions 1 to 1,024; fixed once the log is made
 * @param maxAge how long a record is kept at the least, read or not, if there is space
 * @param maxLengthBytes how many bytes a partition keeps at the most; at least four
 * segments. Appends are refused when all but two segments of it are unread
 * @param segmentBytes how many bytes are let go at once
 * @param confirmTimeout after how long without a confirm an append has an unknown outcome
 * @param maxInFlight how many appends may wait for their confirm
 * @param startTimeout how long to try to reach the broker when the log is opened
 */
public record RabbitLogSettings(List<String> addresses, String username, String password, String virtualHost,
		String streamPrefix, int partitions, Duration maxAge, long maxLengthBytes, long segmentBytes,
		Duration confirmTimeout, int maxInFlight, Duration startTimeout) {

	private static final int MAX_PARTITIONS = 1024;

	private static final int MIN_SEGMENTS = 4;

	public RabbitLogSettings {
		addresses = List.copyOf(addresses);
		if (addresses.isEmpty()) {
			throw new IllegalArgumentException("At least one address of RabbitMQ is needed");
		}
		if (partitions < 1 || partitions > MAX_PARTITIONS) {
			throw new IllegalArgumentException("A log has 1 to " + MAX_PARTITIONS + " partitions, not " + partitions);
		}
		if (maxLengthBytes < MIN_SEGMENTS * segmentBytes) {
			throw new IllegalArgumentException("A partition of " + maxLengthBytes + " bytes has no room for "
					+ MIN_SEGMENTS + " segments of " + segmentBytes + ": make the segments smaller");
		}
		if (maxInFlight < 1 || !confirmTimeout.isPositive()) {
			throw new IllegalArgumentException("Appends in flight and the confirm timeout must be positive");
		}
	}

	/** For sentences: where the broker is. */
	String where() {
		return "RabbitMQ at " + String.join(", ", this.addresses);
	}
}
