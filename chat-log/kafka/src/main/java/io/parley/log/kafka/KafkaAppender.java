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
 * Writes through an idempotent producer, which gathers what is appended at the moment,
 * keeps the order, and repeats without doubling. One that can't go on is replaced.
 */
final class KafkaAppender {

	private static final Logger logger = LoggerFactory.getLogger(KafkaAppender.class);

	/** After these the producer takes nothing more, or its order is not sure. */
	private static final Set<Class<? extends ApiException>> FATAL = Set.of(ProducerFencedException.class,
			InvalidProducerEpochException.class, OutOfOrderSequenceException.class, ClusterAuthorizationException.class,
			UnsupportedVersionException.class);

	private final Supplier<Producer<byte[], byte[]>> producers;

	private final KafkaLogSettings settings;

	private final List<KafkaPartitionState> tails;

	private final AtomicInteger inFlight = new AtomicInteger();

	private volatile Producer<byte[], byte[]> producer;

	private volatile @Nullable Exception broken;

	private volatile @Nullable String refusal;

	KafkaAppender(Supplier<Producer<byte[], byte[]>> producers, KafkaLogSettings settings,
			List<KafkaPartitionState> tails) {
		this.producers = producers;
		this.settings = settings;
		this.tails = tails;
		this.producer = producers.get();
	}

	CompletableFuture<Long> append(int partition, byte[] record) {
		KafkaPartitionState tail = this.tails.get(partition);
		String trouble = trouble(tail);
		if (trouble != null) {
			return CompletableFuture.failedFuture(new AppendRefusedException(trouble));
		}
		this.inFlight.incrementAndGet();
		return new KafkaPendingAppend(this.settings, tail, this::ended).send(this.producer,
				new ProducerRecord<>(this.settings.topic(), partition, null, record));
	}

	/** Why an append would be refused now, null when it would not. */
	@Nullable String trouble(KafkaPartitionState tail) {
		if (this.refusal != null) {
			return this.refusal;
		}
		Exception cause = this.broken;
		if (cause != null) {
			return "The producer had to be given up (" + cause.getMessage() + "): try again in a moment";
		}
		if (tail.trouble() != null) {
			return tail.trouble();
		}
		int waiting = this.inFlight.get();
		return (waiting < this.settings.maxInFlight()) ? null : this.settings.where() + " can't keep up: " + waiting
				+ " appends wait for their confirm. Try again later";
	}

	private void ended(@Nullable Exception failure) {
		this.inFlight.decrementAndGet();
		if (failure != null && isFatal(failure)) {
			this.broken = failure;
		}
	}

	/** What is no error of the protocol comes from a producer that has given up. */
	private static boolean isFatal(Exception failure) {
		return FATAL.contains(failure.getClass()) || failure.getClass() == KafkaException.class;
	}

	/**
	 * Whether the producer knows the topic. It forgets it when it starts anew with
	 * brokers that were away; asking makes it look.
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
	 * Replaces a producer that can't go on. First the old one ends, so that nothing of it
	 * comes behind what the new one sends.
	 */
	void revive() {
		Exception cause = this.broken;
		if (cause != null && this.refusal == null) {
			logger.warn("The Kafka producer of the log is replaced", cause);
			this.producer.close(Duration.ZERO);
			this.producer = this.producers.get();
			this.broken = null;
		}
	}

	/** Takes no more appends, for that reason; the first one stays. */
	synchronized void stop(String reason) {
		if (this.refusal == null) {
			this.refusal = reason;
		}
	}

	/** Waits for what is under way. */
	void close() {
		stop("The log is closed");
		this.producer.close(this.settings.confirmTimeout().plusSeconds(1));
	}

}
