package io.parley.log.kafka;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Simulates errors that a real broker does not produce on demand. */
class KafkaAppenderTests {

	private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();

	private final KafkaPartitionState tail = new KafkaPartitionState();

	private final KafkaLogSettings settings = new KafkaLogSettings(List.of("127.0.0.1:1"), "topic", 1, 1, Map.of(),
			Duration.ofDays(1), 1_000_000, 1_000_000, Duration.ofSeconds(1), 10, Duration.ZERO);

	private final KafkaAppender appender = new KafkaAppender(this::producer, this.settings, List.of(this.tail));

	private Producer<byte[], byte[]> producer() {
		this.producers.add(new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()));
		return this.producers.getLast();
	}

	private KafkaPendingAppend pending() {
		return new KafkaPendingAppend(this.settings, this.tail, (failure) -> {
		});
	}

	private CompletableFuture<Long> send(KafkaPendingAppend append) {
		return append.send(this.producers.getFirst(), new ProducerRecord<>("topic", 0, null, new byte[1]));
	}

	private static RecordMetadata at(long offset) {
		return new RecordMetadata(new TopicPartition("topic", 0), offset, 0, 0, 0, 0);
	}

	private CompletableFuture<Long> append() {
		return this.appender.append(0, new byte[1]);
	}

	@Test
	void reportsAnUnknownOutcomeWhenARecordTimesOut() {
		CompletableFuture<Long> confirm = append();
		this.producers.getFirst().errorNext(new TimeoutException("Expiring"));
		assertThat(confirm.exceptionNow()).isInstanceOf(AppendUnknownException.class);
		assertThat(this.appender.unavailableReason(this.tail)).isNull();
	}

	@Test
	void refusesARecordThatTheBrokersRefuse() {
		CompletableFuture<Long> confirm = append();
		this.producers.getFirst().errorNext(new RecordTooLargeException("too large"));
		assertThat(confirm.exceptionNow()).isInstanceOf(AppendRefusedException.class).hasMessageContaining("too large");
	}

	@Test
	void replacesAProducerAfterAFatalError() {
		CompletableFuture<Long> confirm = append();
		this.producers.getFirst().errorNext(new OutOfOrderSequenceException("out of order"));
		assertThat(confirm.exceptionNow()).isInstanceOf(AppendUnknownException.class);
		assertThat(append().exceptionNow()).isInstanceOf(AppendRefusedException.class)
			.hasMessageContaining("out of order");
		this.appender.revive();
		assertThat(this.producers.getFirst().closed()).isTrue();
		CompletableFuture<Long> next = append();
		this.producers.getLast().completeNext();
		assertThat(next.resultNow()).isZero();
		assertThat(this.tail.end()).isOne();
	}

	@Test
	void doesNotConfirmAnOffsetTwice() {
		append();
		this.producers.getFirst().completeNext();
		append();
		this.producers.getFirst().errorNext(new OutOfOrderSequenceException("out of order"));
		this.appender.revive();
		CompletableFuture<Long> again = append();
		this.producers.getLast().completeNext();
		assertThat(again.exceptionNow()).isInstanceOf(AppendUnknownException.class)
			.hasMessageContaining("the topic was replaced");
		assertThat(this.tail.isTruncated()).isTrue();
	}

	/**
	 * A new leader may confirm a later record before the outcome of an earlier one is
	 * known.
	 */
	@Test
	void acceptsConfirmsInAnyOrderOfRecordsInFlightTogether() {
		List<KafkaPendingAppend> appends = List.of(pending(), pending(), pending());
		List<CompletableFuture<Long>> confirms = appends.stream().map(this::send).toList();
		appends.get(1).onCompletion(at(6), null);
		appends.get(2).onCompletion(at(7), null);
		appends.get(0).onCompletion(at(5), null);
		assertThat(confirms).extracting(CompletableFuture::resultNow).containsExactly(5L, 6L, 7L);
		assertThat(this.tail.isTruncated()).isFalse();
		assertThat(this.tail.end()).isEqualTo(8);
	}

	@Test
	void detectsALossByALowerOffsetOfARecordSentLater() {
		KafkaPendingAppend before = pending();
		KafkaPendingAppend after = pending();
		send(before);
		before.onCompletion(at(8), null);
		CompletableFuture<Long> confirm = send(after);
		after.onCompletion(at(5), null);
		assertThat(confirm.exceptionNow()).isInstanceOf(AppendUnknownException.class);
		assertThat(this.tail.isTruncated()).isTrue();
	}

	@Test
	void detectsALossByAnOffsetOfTwoRecordsInFlightTogether() {
		List<KafkaPendingAppend> appends = List.of(pending(), pending(), pending());
		List<CompletableFuture<Long>> confirms = appends.stream().map(this::send).toList();
		appends.get(0).onCompletion(at(5), null);
		appends.get(1).onCompletion(at(6), null);
		appends.get(2).onCompletion(at(5), null);
		assertThat(confirms.getLast().exceptionNow()).isInstanceOf(AppendUnknownException.class);
		assertThat(this.tail.isTruncated()).isTrue();
	}

	/**
	 * The brokers remember only the last batches of a producer, so a confirm can lack its
	 * offset.
	 */
	@Test
	void doesNotTreatAConfirmWithoutOffsetAsALoss() {
		KafkaPendingAppend append = pending();
		CompletableFuture<Long> confirm = send(append);
		append.onCompletion(at(-1), null);
		assertThat(confirm.exceptionNow()).isInstanceOf(AppendUnknownException.class);
		assertThat(this.tail.isTruncated()).isFalse();
	}

}
