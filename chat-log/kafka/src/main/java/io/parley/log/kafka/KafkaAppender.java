package io.parley.log.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.parley.log.AppendRefusedException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ApiException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends through an idempotent producer, which batches concurrent appends, keeps their
 * order, and retries without duplicates. A producer that has failed permanently is
 * replaced.
 */
final class KafkaAppender {

	private static final Logger logger = LoggerFactory.getLogger(KafkaAppender.class);

	/**
	 * After these errors the producer accepts no more records, or their order is not
	 * guaranteed.
	 */
	private static final Set<Class<? extends ApiException>> FATAL = Set.of(ProducerFencedException.class,
			InvalidProducerEpochException.class, OutOfOrderSequenceException.class, ClusterAuthorizationException.class,
			UnsupportedVersionException.class);

	private final Supplier<Producer<byte[], byte[]>> producers;

	private final KafkaLogSettings settings;

	private final List<KafkaPartitionState> states;

	private final AtomicInteger inFlight = new AtomicInteger();

	private volatile Producer<byte[], byte[]> producer;

	private volatile @Nullable Exception broken;

	private volatile @Nullable String stopReason;

	KafkaAppender(Supplier<Producer<byte[], byte[]>> producers, KafkaLogSettings settings,
			List<KafkaPartitionState> states) {
		this.producers = producers;
		this.settings = settings;
		this.states = states;
		this.producer = producers.get();
	}

	CompletableFuture<Long> append(int partition, byte[] record) {
		KafkaPartitionState state = this.states.get(partition);
		String reason = unavailableReason(state);
		if (reason != null) {
			return CompletableFuture.failedFuture(new AppendRefusedException(reason));
		}
		this.inFlight.incrementAndGet();
		return new KafkaPendingAppend(this.settings, state, this::ended).send(this.producer,
				new ProducerRecord<>(this.settings.topic(), partition, null, record));
	}

	/** Returns why an append would be refused now, or null. */
	@Nullable String unavailableReason(KafkaPartitionState state) {
		if (this.stopReason != null) {
			return this.stopReason;
		}
		Exception cause = this.broken;
		if (cause != null) {
			return "The Kafka producer has failed (" + cause.getMessage()
					+ ") and is being replaced: try again in a moment";
		}
		if (state.unavailableReason() != null) {
			return state.unavailableReason();
		}
		int waiting = this.inFlight.get();
		return (waiting < this.settings.maxInFlight()) ? null : this.settings.where() + " can't keep up: " + waiting
				+ " appends wait for confirmation. Try again later";
	}

	private void ended(@Nullable Exception failure) {
		this.inFlight.decrementAndGet();
		if (failure != null && isFatal(failure)) {
			this.broken = failure;
		}
	}

	/**
	 * Returns whether the producer can't continue. A failure that is no protocol error
	 * comes from a producer that has given up.
	 */
	private static boolean isFatal(Exception failure) {
		return FATAL.contains(failure.getClass()) || failure.getClass() == KafkaException.class;
	}

	/**
	 * Returns whether the producer has the metadata of the topic. It discards the
	 * metadata when it reconnects to brokers after an outage; this query triggers a new
	 * request.
	 */
	boolean isReady() {
		try {
			this.producer.partitionsFor(this.settings.topic());
			return true;
		}
		catch (TimeoutException ex) {
			return false;
		}
	}

	/**
	 * Replaces a producer that has failed permanently. Closes the old one first, so that
	 * none of its records arrive after those of the new one.
	 */
	void revive() {
		Exception cause = this.broken;
		if (cause != null && this.stopReason == null) {
			logger.warn("Replacing the Kafka producer of the log after a fatal error", cause);
			this.producer.close(Duration.ZERO);
			this.producer = this.producers.get();
			this.broken = null;
		}
	}

	/** Refuses all further appends for this reason; the first reason is kept. */
	synchronized void stop(String reason) {
		if (this.stopReason == null) {
			this.stopReason = reason;
		}
	}

	/** Refuses further appends and waits for those in flight. */
	void close() {
		stop("The log is closed");
		this.producer.close(this.settings.confirmTimeout().plusSeconds(1));
	}

}
