package io.parley.log.kafka;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.parley.log.AppendRefusedException;
import io.parley.log.LogReader;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.SharedLogContract;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static io.parley.log.LogReading.append;
import static io.parley.log.LogReading.readAll;
import static io.parley.log.LogReading.readTexts;
import static io.parley.log.LogReading.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * Each test has its own log, so the tests run in parallel: most of their time is waiting.
 */
@Execution(ExecutionMode.CONCURRENT)
class KafkaRoomLogIntegrationTests extends SharedLogContract {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private static final int MAX_RECORD_BYTES = 1000 * 1024;

	@RegisterExtension
	static final KafkaBroker broker = new KafkaBroker();

	private final String topic = "test-" + UUID.randomUUID();

	@Override
	protected RoomLog open(String name, int partitions) {
		return KafkaRoomLog.open(settings(name, partitions));
	}

	private KafkaLogSettings settings(String name, int partitions) {
		return broker.settings(name.equals("log") ? this.topic : this.topic + "-" + name, partitions);
	}

	@Test
	void refusesATopicThatRemovesRecordsByItself() throws Exception {
		create(this.topic + "-short", Map.of("retention.ms", "60000"));
		assertThatExceptionOfType(LogUnavailableException.class)
			.isThrownBy(() -> KafkaRoomLog.open(broker.settings(this.topic + "-short", 1)))
			.withMessageContaining("retention.ms=-1");
	}

	@Test
	void refusesWhileTooFewBrokersHaveThePartition() throws Exception {
		create(this.topic + "-alone",
				Map.of("min.insync.replicas", "2", "retention.ms", "-1", "retention.bytes", "-1"));
		try (KafkaRoomLog log = KafkaRoomLog.open(broker.settings(this.topic + "-alone", 1))) {
			await().atMost(PATIENCE).until(() -> log.unavailableReason().isPresent());
			assertThat(log.unavailableReason()).hasValueSatisfying((sentence) -> assertThat(sentence)
				.contains("is on 1 of the 2 Kafka brokers that must have a record"));
			assertRefused(log, 0, "must have a record");
		}
	}

	private void create(String name, Map<String, String> configs) throws Exception {
		try (Admin admin = broker.admin()) {
			admin.createTopics(List.of(new NewTopic(name, 1, (short) 1).configs(configs))).all().get();
		}
	}

	@Test
	void requiresARestartWhenTheTopicIsDeleted() throws Exception {
		String id = this.log.id();
		append(this.log, 0, "a");
		try (LogReader reader = this.log.follow(1, 0)) {
			assertThat(reader.poll(1, Duration.ZERO)).isEmpty();
			delete();
			awaitEnd(this.log, 1);
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> reader.poll(1, PATIENCE))
				.withMessageContaining("restart this process");
		}
		this.log.close();
		this.log = open();
		assertThat(this.log.id()).isNotEqualTo(id);
		assertThat(this.log.endOffset(0)).isZero();
	}

	@Test
	void requiresARestartWhenAnotherProcessHasCreatedANewLog() throws Exception {
		try (RoomLog old = open()) {
			this.log.close();
			delete();
			this.log = open();
			assertThat(old.id()).isNotEqualTo(this.log.id());
			awaitEnd(old, 3);
		}
	}

	@Test
	void requiresARestartOfAllProcessesWhenAReaderIsBeyondTheEnd() throws Exception {
		String id = this.log.id();
		append(this.log, 0, "a");
		try (RoomLog other = open(); LogReader reader = this.log.claim("worker", 0, () -> 2)) {
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> {
				while (reader.poll(1, Duration.ofSeconds(1)).isEmpty()) {
					Thread.onSpinWait();
				}
			}).withMessageContaining("ends at 1, but a reader has read up to 2");
			awaitEnd(this.log, 1);
			awaitEnd(other, 3);
		}
		this.log.close();
		this.log = open();
		assertThat(this.log.id()).isNotEqualTo(id);
		assertThat(texts(readAll(this.log, 0))).containsExactly("a");
	}

	private static void awaitEnd(RoomLog log, int partition) {
		await().atMost(PATIENCE)
			.until(() -> log.unavailableReason()
				.filter((sentence) -> sentence.contains("restart this process"))
				.isPresent());
		assertRefused(log, partition, "restart this process");
	}

	private static void assertRefused(RoomLog log, int partition, String why) {
		assertThat(log.append(partition, new byte[1])).failsWithin(PATIENCE)
			.withThrowableThat()
			.withCauseInstanceOf(AppendRefusedException.class)
			.withMessageContaining(why);
	}

	private void delete() throws Exception {
		try (Admin admin = broker.admin()) {
			admin.deleteTopics(List.of(this.topic)).all().get();
			await().atMost(PATIENCE).until(() -> !admin.listTopics().names().get().contains(this.topic));
		}
	}

	@Test
	void skipsForeignMessages() throws Exception {
		append(this.log, 0, "a");
		try (Producer<byte[], byte[]> producer = new Clients(settings("log", 4)).producer(this.topic)) {
			producer.send(new ProducerRecord<>(this.topic, 0, null, null)).get();
		}
		assertThat(append(this.log, 0, "b")).containsExactly(2L);
		try (LogReader reader = this.log.follow(0, 0)) {
			assertThat(readTexts(reader, 2)).containsExactly("a", "b");
		}
	}

	@Test
	void takesRecordsUpToItsLimit() throws Exception {
		this.log.append(0, new byte[MAX_RECORD_BYTES]).join();
		assertThat(readAll(this.log, 0)).singleElement()
			.satisfies((record) -> assertThat(record.data()).hasSize(MAX_RECORD_BYTES));
		assertThatIllegalArgumentException().isThrownBy(() -> this.log.append(0, new byte[MAX_RECORD_BYTES + 1]));
		assertThatIllegalArgumentException().isThrownBy(() -> this.log.append(0, new byte[0]));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.log.append(4, new byte[1]));
		assertThatExceptionOfType(IndexOutOfBoundsException.class)
			.isThrownBy(() -> this.log.claim("worker", 4, () -> 0));
	}

	@ParameterizedTest
	@ValueSource(strings = { "gzip", "snappy", "lz4", "zstd" })
	void compressesWithEachCodecOfTheClient(String codec) throws Exception {
		String name = this.topic + "-" + codec;
		KafkaLogSettings settings = new KafkaLogSettings(List.of(broker.address()), name, 1, 1,
				Map.of("compression.type", codec), Duration.ofDays(1), 1_000_000, 1_048_576, PATIENCE, 10, PATIENCE);
		try (RoomLog log = KafkaRoomLog.open(settings)) {
			String text = "again ".repeat(100_000);
			append(log, 0, text);
			assertThat(texts(readAll(log, 0))).containsExactly(text);
		}
		assertThat(storedBytes(name)).isBetween(1L, 60_000L);
	}

	private static long storedBytes(String topic) throws Exception {
		try (Admin admin = broker.admin()) {
			return admin.describeLogDirs(List.of(1))
				.allDescriptions()
				.get()
				.get(1)
				.values()
				.stream()
				.mapToLong((directory) -> directory.replicaInfos().get(new TopicPartition(topic, 0)).size())
				.sum();
		}
	}

	@Test
	void refusesAppendsAboveTheInFlightLimitAndRecovers() throws Exception {
		KafkaLogSettings settings = new KafkaLogSettings(List.of(broker.address()), this.topic + "-few", 1, 1, Map.of(),
				Duration.ofDays(1), 1_000_000, 1_048_576, PATIENCE, 10, PATIENCE);
		try (RoomLog log = KafkaRoomLog.open(settings)) {
			assertRecoversAfterRefusing(log, 10_000, 100, "can't keep up: 10 appends wait for confirmation");
		}
	}

	@Test
	void refusesAppendsAboveTheMemoryLimitAndRecovers() throws Exception {
		assertRecoversAfterRefusing(this.log, 200, MAX_RECORD_BYTES, "the memory for appends is full");
	}

	private static void assertRecoversAfterRefusing(RoomLog log, int count, int bytes, String why) {
		List<CompletableFuture<Long>> confirms = IntStream.range(0, count)
			.mapToObj((i) -> log.append(0, new byte[bytes]))
			.toList();
		CompletableFuture.allOf(confirms.toArray(CompletableFuture[]::new)).exceptionally((ex) -> null).join();
		long accepted = confirms.stream().filter((confirm) -> !confirm.isCompletedExceptionally()).count();
		assertThat(accepted).isLessThan(count);
		assertThat(confirms).filteredOn(CompletableFuture::isCompletedExceptionally)
			.allSatisfy((confirm) -> assertThat(confirm.exceptionNow()).isInstanceOf(AppendRefusedException.class)
				.hasMessageContaining(why));
		assertThat(append(log, 0, "next")).containsExactly(accepted);
	}

	@Test
	void explainsWhyItCannotBeOpened() {
		assertThatExceptionOfType(LogUnavailableException.class)
			.isThrownBy(() -> KafkaRoomLog.open(new KafkaLogSettings(List.of(broker.address()), this.topic + "-three",
					1, 3, Map.of(), PATIENCE, 1_000_000, 1_048_576, PATIENCE, 10, Duration.ofMillis(1))))
			.withMessageContaining("replication factor")
			.withMessageContaining("chat.log.kafka.*");
		assertThatExceptionOfType(LogUnavailableException.class)
			.isThrownBy(() -> KafkaRoomLog.open(new KafkaLogSettings(List.of(broker.address()), this.topic, 1, 1,
					Map.of("acks", "1"), PATIENCE, 1_000_000, 1_048_576, PATIENCE, 10, Duration.ofMillis(1))))
			.withMessageContaining("chat.log.kafka.properties.acks can't be set");
	}

}
