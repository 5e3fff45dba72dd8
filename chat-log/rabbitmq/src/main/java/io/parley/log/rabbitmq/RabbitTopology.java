package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import com.rabbitmq.stream.ByteCapacity;
import com.rabbitmq.stream.Constants;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.StreamCreator;
import com.rabbitmq.stream.StreamException;

/**
 * The streams of a log, as data.
 *
 * @param identity keeps the {@link RabbitLogIdentity} records permanently
 * @param partitions one stream for each partition
 */
record RabbitTopology(String identity, List<String> partitions, Duration maxAge, long maxLengthBytes,
		long segmentBytes) {

	static RabbitTopology of(RabbitLogSettings settings) {
		return new RabbitTopology(settings.streamPrefix() + ".identity",
				IntStream.range(0, settings.partitions())
					.mapToObj((partition) -> settings.streamPrefix() + "." + partition)
					.toList(),
				settings.maxAge(), settings.maxLengthBytes(), settings.segmentBytes());
	}

	/**
	 * Declares the stream of the signals. Signals are useless after a moment; a retention
	 * of one minute covers a slow reader.
	 */
	static void declareSignals(Environment environment, String stream) {
		create(environment.streamCreator()
			.stream(stream)
			.maxAge(Duration.ofMinutes(1))
			.maxLengthBytes(ByteCapacity.MB(100))
			.maxSegmentSizeBytes(ByteCapacity.MB(10)));
	}

	/**
	 * Declares the identity stream unless it exists: RabbitMQ asks for the right to
	 * configure even then, and a worker need not have it.
	 */
	void declareIdentity(Environment environment) {
		if (!environment.streamExists(this.identity)) {
			create(environment.streamCreator().stream(this.identity));
		}
	}

	/** Returns the partitions that have no stream. */
	List<String> missing(Environment environment) {
		return this.partitions.stream().filter((stream) -> !environment.streamExists(stream)).toList();
	}

	/**
	 * Declares the streams of the partitions that have none; existing streams stay
	 * unchanged.
	 */
	void declareMissing(Environment environment) {
		for (String stream : missing(environment)) {
			create(environment.streamCreator()
				.stream(stream)
				.maxAge(this.maxAge)
				.maxLengthBytes(ByteCapacity.B(this.maxLengthBytes))
				.maxSegmentSizeBytes(ByteCapacity.B(this.segmentBytes)));
		}
	}

	private static void create(StreamCreator creator) {
		try {
			creator.create();
		}
		catch (StreamException ex) {
			// Another process has just created it with other settings; the first one
			// wins.
			if (ex.getCode() != Constants.RESPONSE_CODE_PRECONDITION_FAILED) {
				throw ex;
			}
		}
	}

}
