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
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Errors that a real broker does not make on demand. */
class AppenderTests {

	private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();

	private final PartitionTail tail = new PartitionTail();

	private final Appender appender = new Appender(this::producer, new KafkaLogSettings(List.of("127.0.0.1:1"), "topic",
			1, 1, Map.of(), Duration.ofDays(1), 1_000_000, 1_000_000, Duration.ofSeconds(1), 10, Duration.ZERO),
			List.of(this.tail));

	private Producer<byte[], byte[]> producer() {
		this.producers.add(new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer()));
		return this.producers.getLast();
	}

	private CompletableFuture<Long> append() {
		return this.appender.append(0, new byte[1]);
	}

	@Test
	void doesNotKnowWhatBecameOfARecordThatTimedOut() {
		CompletableFuture<Long> confirm = append();
		this.producers.getFirst().errorNext(new TimeoutException("Expiring"));
		assertThat(confirm.exceptionNow()).isInstanceOf(AppendUnknownException.class);
		assertThat(this.appender.trouble(this.tail)).isNull();
	}

	@Test
	void refusesARecordThatTheBrokersRefuse() {
		CompletableFuture<Long> confirm = append();
		this.producers.getFirst().errorNext(new RecordTooLargeException("too large"));
		assertThat(confirm.exceptionNow()).isInstanceOf(AppendRefusedException.class).hasMessageContaining("too large");
	}

	@Test
	void replacesAProducerThatCannotGoOn() {
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
	void doesNotConfirmAnOffsetThatWasGivenOutBefore() {
		append();
		this.producers.getFirst().completeNext();
		append();
		this.producers.getFirst().errorNext(new OutOfOrderSequenceException("out of order"));
		this.appender.revive();
		CompletableFuture<Long> again = append();
		this.producers.getLast().completeNext();
		assertThat(again.exceptionNow()).isInstanceOf(AppendUnknownException.class)
			.hasMessageContaining("the topic was replaced");
		assertThat(this.tail.wentBack()).isTrue();
	}

}
