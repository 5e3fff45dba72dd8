package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.List;

import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;

/**
 * Settings of a {@link RabbitRoomLog}.
 *
 * @param addresses {@code host:port} of the stream listener. A single address is always
 * used as it is, so it may be that of a load balancer. Several addresses are all nodes of
 * a cluster, which are reached at their advertised addresses
 * @param username a user who may declare, write and read streams
 * @param password of that user
 * @param virtualHost the virtual host of the streams
 * @param streamPrefix the streams are named {@code <prefix>.<partition>} and {@code
 * <prefix>.identity}
 * @param partitions 1 to 1,024; fixed once the log is created
 * @param maxAge the minimum time to keep a record, read or not, if there is space
 * @param maxLengthBytes the maximum number of bytes of a partition, at least four
 * segments. Appends are refused when all but two segments are unread
 * @param segmentBytes how many bytes are removed at once
 * @param confirmTimeout how long to wait for a confirmation before the outcome of an
 * append is unknown
 * @param maxInFlight the maximum number of unconfirmed appends
 * @param startTimeout how long to try to reach the broker when the log is opened
 * @param tls if not null, all connections use TLS, and the certificate of the broker must
 * contain the host that is connected to
 */
public record RabbitLogSettings(List<String> addresses, String username, String password, String virtualHost,
		String streamPrefix, int partitions, Duration maxAge, long maxLengthBytes, long segmentBytes,
		Duration confirmTimeout, int maxInFlight, Duration startTimeout, @Nullable SslContext tls) {

	private static final int MAX_PARTITIONS = 1024;

	private static final int MIN_SEGMENTS = 4;

	public RabbitLogSettings {
		addresses = List.copyOf(addresses);
		if (addresses.isEmpty()) {
			throw new IllegalArgumentException("At least one RabbitMQ address is required");
		}
		if (partitions < 1 || partitions > MAX_PARTITIONS) {
			throw new IllegalArgumentException("A log has 1 to " + MAX_PARTITIONS + " partitions, not " + partitions);
		}
		if (maxLengthBytes < MIN_SEGMENTS * segmentBytes) {
			throw new IllegalArgumentException("A partition of " + maxLengthBytes + " bytes has no room for "
					+ MIN_SEGMENTS + " segments of " + segmentBytes + ": make the segments smaller");
		}
		if (maxInFlight < 1 || !confirmTimeout.isPositive()) {
			throw new IllegalArgumentException("Appends in flight and confirm timeout must be positive");
		}
	}

	/** Creates settings for connections without TLS. */
	public RabbitLogSettings(List<String> addresses, String username, String password, String virtualHost,
			String streamPrefix, int partitions, Duration maxAge, long maxLengthBytes, long segmentBytes,
			Duration confirmTimeout, int maxInFlight, Duration startTimeout) {
		this(addresses, username, password, virtualHost, streamPrefix, partitions, maxAge, maxLengthBytes, segmentBytes,
				confirmTimeout, maxInFlight, startTimeout, null);
	}

	/** Returns the address of the broker, for use in messages. */
	String where() {
		return "RabbitMQ at " + String.join(", ", this.addresses);
	}
}
