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

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;
import org.springframework.validation.annotation.Validated;

/**
 * Which room log to use.
 *
 * @param backend where the log is kept
 * @param partitions into how many partitions the rooms are divided, 1 to 1,024; fixed
 * once the log is made
 * @param readinessGrace how long the log may refuse appends before this process is not
 * ready
 * @param acceptedGaps records that are missing between the database and the log and that
 * nobody waits for any more, each as {@code partition:from-below}
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

	/** Where a log can be kept. */
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
	 * @param directory belongs to the log alone; made when it is missing
	 * @param retention how long a record is kept at the least, read or not; records that
	 * somebody has not read stay longer
	 * @param minFree appends are refused while the disk has less usable space than this
	 */
	public record Embedded(@DefaultValue("./data/log") Path directory,
			@DefaultValue("7d") @DurationMin Duration retention, @DefaultValue("256MB") DataSize minFree) {
	}

	/**
	 * The log in RabbitMQ streams. The settings of the streams count when they are made;
	 * later a policy of the broker changes them.
	 *
	 * @param host of the broker, or of the load balancer in front of it
	 * @param port of the stream listener
	 * @param addresses {@code host:port} of all nodes of a cluster, instead of host and
	 * port; the nodes are reached at the addresses that they advertise
	 * @param username who may declare, write and read streams
	 * @param password of that user
	 * @param virtualHost where the streams are
	 * @param streamPrefix the streams are called {@code <prefix>.<partition>} and
	 * {@code <prefix>.identity}
	 * @param maxAge how long a record is kept, if there is space; appends are refused
	 * when the oldest unread record is nine tenths as old
	 * @param maxLength how much a partition keeps, at least four segments; appends are
	 * refused when all but two of them are unread
	 * @param segmentSize how much is let go at once
	 * @param confirmTimeout after how long without a confirm an append has an unknown
	 * outcome
	 * @param inFlight how many appends may wait for their confirm; more are refused
	 * @param startTimeout how long to try to reach the broker when the application starts
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
			@DefaultValue("10000") @Min(1) int inFlight, @DefaultValue("60s") @DurationMin Duration startTimeout) {

		/** Where to connect. */
		public List<String> nodes() {
			return this.addresses.isEmpty() ? List.of(this.host + ":" + this.port) : this.addresses;
		}

	}

	/**
	 * The log in Kafka.
	 *
	 * @param bootstrapServers {@code host:port} of some brokers; needed
	 * @param topic holds the log; {@code <topic>-turns} holds the turns of its readers.
	 * Both are made when they are missing
	 * @param replication how many brokers keep each record; a majority of them must have
	 * a record before it is confirmed. Counts when the topics are made
	 * @param properties of every Kafka client, such as {@code security.protocol} and
	 * {@code sasl.jaas.config}
	 * @param maxAge how long a record is kept at the least, if there is space; records
	 * that somebody has not read stay longer
	 * @param maxLength about how much a partition keeps of what was read
	 * @param segmentSize how much is let go at once; counts when the topic is made
	 * @param confirmTimeout after how long without a confirm an append has an unknown
	 * outcome
	 * @param inFlight how many appends may wait for their confirm; more are refused
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
