package io.parley.log.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.Pattern;
import org.hibernate.validator.constraints.time.DurationMin;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Settings of the room log.
 *
 * @param backend where the log is stored
 * @param partitions the number of partitions among which the rooms are divided, 1 to
 * 1,024; fixed once the log is created
 * @param readinessGrace how long the log may refuse appends before this process reports
 * that it is not ready
 * @param acceptedGaps ranges of records that are missing between the database and the log
 * and are accepted as lost, each as {@code partition:from-below}
 * @param embedded settings of the embedded log
 * @param rabbitmq settings of the log in RabbitMQ
 * @param kafka settings of the log in Kafka
 */
@ConfigurationProperties("chat.log")
@Validated
public record LogProperties(@DefaultValue("embedded") Backend backend,
		@DefaultValue("8") @Min(1) @Max(1024) int partitions, @DefaultValue("30s") @DurationMin Duration readinessGrace,
		@DefaultValue Set<@Pattern(regexp = "\\d+:\\d+-\\d+",
				message = "must be partition:from-below, such as 3:1200-1500") String> acceptedGaps,
		@DefaultValue @Valid Embedded embedded, @DefaultValue @Valid Rabbitmq rabbitmq,
		@DefaultValue @Valid Kafka kafka) {

	/** Where a log can be stored. */
	public enum Backend {

		/** In this JVM, on the local disk. */
		EMBEDDED,

		/** In RabbitMQ streams. */
		RABBITMQ,

		/** In Kafka. */
		KAFKA

	}

	/**
	 * The log inside this JVM.
	 *
	 * @param directory used by the log alone; created if it is missing
	 * @param retention the minimum time to keep a record, read or not; unread records are
	 * kept longer
	 * @param minFree appends are refused while the disk has less usable space than this
	 */
	public record Embedded(@DefaultValue("./data/log") Path directory,
			@DefaultValue("7d") @DurationMin Duration retention, @DefaultValue("256MB") DataSize minFree) {
	}

	/**
	 * The log in RabbitMQ streams. The settings of the streams apply when they are
	 * created; afterwards, only a policy of the broker changes them.
	 *
	 * @param host of the broker, or of the load balancer in front of it
	 * @param port of the stream listener
	 * @param addresses {@code host:port} of all nodes of a cluster, instead of host and
	 * port; the nodes are reached at their advertised addresses
	 * @param username a user who may declare, write and read streams
	 * @param password of that user
	 * @param virtualHost the virtual host of the streams
	 * @param streamPrefix the streams are named {@code <prefix>.<partition>} and {@code
	 * <prefix>.identity}
	 * @param maxAge how long a record is kept, if there is space; appends are refused
	 * when the oldest unread record reaches nine tenths of this age
	 * @param maxLength the maximum size of a partition, at least four segments; appends
	 * are refused when all but two segments are unread
	 * @param segmentSize how much is removed at once
	 * @param confirmTimeout how long to wait for a confirmation before the outcome of an
	 * append is unknown
	 * @param inFlight the maximum number of unconfirmed appends; further appends are
	 * refused
	 * @param startTimeout how long to try to reach the broker when the application starts
	 * @param sslBundle the name of the {@code spring.ssl.bundle} that trusts the broker;
	 * if not set, connections do not use TLS
	 */
	public record Rabbitmq(@DefaultValue("localhost") @NotBlank String host,
			@DefaultValue("5552") @Min(1) @Max(65535) int port,
			@DefaultValue List<@Pattern(regexp = ".+:\\d{1,5}",
					message = "must be host:port, such as rabbit-1:5552") String> addresses,
			@DefaultValue("guest") String username, @DefaultValue("guest") String password,
			@DefaultValue("/") @NotBlank String virtualHost, @DefaultValue("chat.rooms") @NotBlank String streamPrefix,
			@DefaultValue("7d") @DurationMin(seconds = 1) Duration maxAge, @DefaultValue("5GB") DataSize maxLength,
			@DefaultValue("100MB") DataSize segmentSize,
			@DefaultValue("10s") @DurationMin(millis = 100) Duration confirmTimeout,
			@DefaultValue("10000") @Min(1) int inFlight, @DefaultValue("60s") @DurationMin Duration startTimeout,
			@Nullable String sslBundle) {

		/** Returns the addresses to connect to. */
		public List<String> nodes() {
			return this.addresses.isEmpty() ? List.of(this.host + ":" + this.port) : this.addresses;
		}

	}

	/**
	 * The log in Kafka.
	 *
	 * @param bootstrapServers {@code host:port} of some brokers; required
	 * @param topic the topic of the log; {@code <topic>-turns} holds the leases of its
	 * readers. Both are created if they are missing
	 * @param replication the number of brokers that keep each record; a majority of them
	 * must have a record before it is confirmed. Applies when the topics are created
	 * @param properties for every Kafka client, such as {@code security.protocol} and
	 * {@code sasl.jaas.config}
	 * @param maxAge the minimum time to keep a record, if there is space; unread records
	 * are kept longer
	 * @param maxLength approximately how much a partition keeps of the records that were
	 * read
	 * @param segmentSize how much is removed at once; applies when the topic is created
	 * @param confirmTimeout how long to wait for a confirmation before the outcome of an
	 * append is unknown
	 * @param inFlight the maximum number of unconfirmed appends; further appends are
	 * refused
	 * @param startTimeout how long to try to reach the brokers when the application
	 * starts
	 */
	public record Kafka(@DefaultValue List<String> bootstrapServers,
			@DefaultValue("parley-log") @Pattern(regexp = "[A-Za-z0-9._-]{1,200}") String topic,
			@DefaultValue("3") @Min(1) @Max(32767) int replication, @DefaultValue Map<String, String> properties,
			@DefaultValue("7d") @DurationMin(seconds = 1) Duration maxAge, @DefaultValue("5GB") DataSize maxLength,
			@DefaultValue("100MB") DataSize segmentSize,
			@DefaultValue("10s") @DurationMin(millis = 100) Duration confirmTimeout,
			@DefaultValue("10000") @Min(1) int inFlight, @DefaultValue("60s") @DurationMin Duration startTimeout) {
	}

}
