package io.parley.log.rabbitmq;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Producer;
import io.parley.log.AppendRefusedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.LogReplacedException;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.SharedLogContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

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
class RabbitRoomLogIntegrationTests extends SharedLogContract {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	private final String prefix = "test-" + UUID.randomUUID();

	@Override
	protected RoomLog open(String name, int partitions) {
		return RabbitRoomLog.open(settings(name, partitions));
	}

	private RabbitLogSettings settings(String name, int partitions) {
		return broker.settings(name.equals("log") ? this.prefix : this.prefix + "-" + name, partitions);
	}

	@Test
	void readsTogetherWithTheTailConsumerWhenItHasCaughtUp() throws Exception {
		append(this.log, 0, "a");
		try (LogReader reader = this.log.follow(0, 0)) {
			assertThat(texts(reader.poll(10, PATIENCE))).containsExactly("a");
			awaitOneConsumer(reader);
			append(this.log, 0, "b");
			append(this.log, 0, "c");
			assertThat(readTexts(reader, 2)).containsExactly("b", "c");
			assertThat(broker.consumers(this.prefix, 0)).isOne();
		}
	}

	@Test
	void losesAndDoublesNothingWhenItFallsBehindTheTailConsumer() throws Exception {
		append(this.log, 0, "first");
		try (LogReader reader = this.log.follow(0, 0)) {
			assertThat(texts(reader.poll(10, PATIENCE))).containsExactly("first");
			awaitOneConsumer(reader);
			List<String> appended = IntStream.range(0, 5_000).mapToObj(String::valueOf).toList();
			CompletableFuture
				.allOf(appended.stream()
					.map((text) -> this.log.append(0, text.getBytes(StandardCharsets.UTF_8)))
					.toArray(CompletableFuture[]::new))
				.join();
			assertThat(readTexts(reader, appended.size())).isEqualTo(appended);
			awaitOneConsumer(reader);
			append(this.log, 0, "last");
			assertThat(readTexts(reader, 1)).containsExactly("last");
		}
	}

	/** Polls, because a reader joins the tail consumer in a poll. */
	private void awaitOneConsumer(LogReader reader) {
		await().atMost(PATIENCE)
			.until(() -> reader.poll(1, Duration.ZERO).isEmpty() && broker.consumers(this.prefix, 0) == 1);
	}

	@Test
	void hasANewIdWhenAStreamWasDeleted() throws Exception {
		String id = this.log.id();
		append(this.log, 0, "a");
		append(this.log, 1, "b");
		this.log.close();
		delete(0);
		this.log = open();
		assertThat(this.log.id()).isNotEqualTo(id);
		assertThat(this.log.endOffset(0)).isZero();
		assertThat(texts(readAll(this.log, 1))).containsExactly("b");
		String next = this.log.id();
		this.log.close();
		this.log = open();
		assertThat(this.log.id()).isEqualTo(next);
	}

	@Test
	void requiresARestartWhenAStreamIsDeleted() throws Exception {
		String id = this.log.id();
		append(this.log, 0, "a");
		try (LogReader reader = this.log.follow(1, 0)) {
			delete(0);
			awaitEnd(1);
			assertThatExceptionOfType(LogReplacedException.class).isThrownBy(() -> reader.poll(1, PATIENCE))
				.withMessageContaining("restart this process");
			assertThat(this.log.unavailableReason())
				.hasValueSatisfying((why) -> assertThat(why).contains("was deleted"));
		}
		this.log.close();
		this.log = open();
		assertThat(this.log.id()).isNotEqualTo(id);
	}

	@Test
	void requiresARestartWhenAReaderIsBeyondTheEnd() throws Exception {
		String id = this.log.id();
		append(this.log, 0, "a");
		try (LogReader reader = this.log.claim("worker", 0, () -> 2)) {
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> {
				while (reader.poll(1, Duration.ofSeconds(1)).isEmpty()) {
					Thread.onSpinWait();
				}
			}).withMessageContaining("ends at 1, but a reader has read up to 2");
		}
		awaitEnd(1);
		this.log.close();
		this.log = open();
		assertThat(this.log.id()).isNotEqualTo(id);
	}

	@Test
	void requiresARestartWhenAnotherProcessHasCreatedANewLog() throws Exception {
		this.log.close();
		delete(0);
		try (RoomLog other = open()) {
			this.log = open();
			assertThat(other.id()).isEqualTo(this.log.id());
			try (Environment environment = broker.environment()) {
				new IdentityAgreement(environment, RabbitTopology.of(settings("log", 4)))
					.replace(new RabbitLogIdentity(4, true, 4, UUID.fromString(other.id())));
			}
			awaitEnd(3);
		}
	}

	private void awaitEnd(int partition) {
		await().atMost(PATIENCE)
			.untilAsserted(() -> assertThat(this.log.append(partition, new byte[1])).failsWithin(PATIENCE)
				.withThrowableThat()
				.withCauseInstanceOf(AppendRefusedException.class)
				.withMessageContaining("restart this process"));
	}

	private void delete(int partition) {
		broker.deleteStream(this.prefix, partition);
	}

	/** The position of the readers is reported only after the records were removed. */
	@Test
	void reportsRecordsThatWereRemovedUnread() {
		try (RabbitRoomLog log = RabbitRoomLog.open(shortSettings())) {
			await().atMost(PATIENCE).until(() -> {
				for (int i = 0; i < 50; i++) {
					log.append(0, new byte[10_000]).join();
				}
				return log.startOffset(0) > 0;
			});
			long start = log.startOffset(0);
			log.trim(0, start);
			assertThat(log.removedUnread()).isZero();
			assertThat(log.partitionsAtRisk()).isOne();
			log.trim(0, start - 1);
			assertThat(log.removedUnread()).isOne();
			log.trim(0, log.endOffset(0));
			assertThat(log.partitionsAtRisk()).isZero();
		}
	}

	@Test
	void refusesAppendsInsteadOfRemovingUnreadRecords() throws Exception {
		try (RabbitRoomLog log = RabbitRoomLog.open(shortSettings())) {
			log.trim(0, 0);
			AppendRefusedException refused = appendUntilRefused(log);
			assertThat(refused).hasMessageContaining("is full of records that a worker has not read");
			assertThat(log.unavailableReason()).hasValue(refused.getMessage());
			log.trim(0, 0);
			assertThat(log.partitionsAtRisk()).isOne();
			long end = log.endOffset(0);
			// Stands for a process that did not see these records being appended.
			try (RabbitRoomLog later = RabbitRoomLog.open(shortSettings())) {
				later.trim(0, 0);
				await().atMost(PATIENCE).until(() -> later.unavailableReason().isPresent());
				assertThat(readAll(later, 0)).hasSize((int) end);
			}
			log.trim(0, end);
			assertThat(log.partitionsAtRisk()).isZero();
			assertThat(log.append(0, new byte[10_000]).join()).isEqualTo(end);
		}
	}

	@Test
	void removesReadRecordsAndKeepsUnreadOnes() throws Exception {
		try (RabbitRoomLog log = RabbitRoomLog.open(shortSettings())) {
			for (int round = 0; round < 10; round++) {
				long read = log.endOffset(0);
				log.trim(0, read);
				appendUntilRefused(log);
				try (LogReader reader = log.follow(0, read)) {
					assertThat(readOne(reader).offset()).isEqualTo(read);
				}
			}
			await().atMost(PATIENCE).until(() -> log.startOffset(0) > 0);
		}
	}

	/** Returns settings of a log that fills up quickly: 1 MB in segments of 100 kB. */
	private RabbitLogSettings shortSettings() {
		return new RabbitLogSettings(List.of(broker.address()), "parley", "parley", "/", this.prefix + "-short", 1,
				Duration.ofDays(1), 1_000_000, 100_000, Duration.ofSeconds(10), 10_000, PATIENCE);
	}

	private static AppendRefusedException appendUntilRefused(RoomLog log) {
		for (int i = 0; i < 200; i++) {
			CompletableFuture<Long> confirm = log.append(0, new byte[10_000]);
			if (confirm.exceptionally((failure) -> -1L).join() < 0) {
				return (AppendRefusedException) confirm.exceptionNow();
			}
		}
		throw new AssertionError("2 MB were appended and no append was refused");
	}

	private static LogRecord readOne(LogReader reader) throws InterruptedException {
		List<LogRecord> records = List.of();
		while (records.isEmpty()) {
			records = reader.poll(1, PATIENCE);
		}
		return records.getFirst();
	}

	@Test
	void skipsForeignMessages() throws Exception {
		append(this.log, 0, "a");
		CompletableFuture<Boolean> confirm = new CompletableFuture<>();
		try (Environment environment = broker.environment();
				Producer producer = environment.producerBuilder().stream(this.prefix + ".0").build()) {
			producer.send(producer.messageBuilder().addData(new byte[0]).build(),
					(status) -> confirm.complete(status.isConfirmed()));
			assertThat(confirm.get()).isTrue();
		}
		assertThat(append(this.log, 0, "b")).containsExactly(2L);
		try (LogReader reader = this.log.follow(0, 0)) {
			assertThat(readTexts(reader, 2)).containsExactly("a", "b");
		}
	}

	@Test
	void takesRecordsUpToItsLimit() throws Exception {
		this.log.append(0, new byte[Envelope.MAX_RECORD_BYTES]).join();
		assertThat(readAll(this.log, 0)).singleElement()
			.satisfies((record) -> assertThat(record.data()).hasSize(Envelope.MAX_RECORD_BYTES));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.log.append(0, new byte[Envelope.MAX_RECORD_BYTES + 1]));
		assertThatIllegalArgumentException().isThrownBy(() -> this.log.append(0, new byte[0]));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.log.append(4, new byte[1]));
	}

	@Test
	void refusesAppendsAboveTheInFlightLimitAndRecovers() throws Exception {
		RabbitLogSettings settings = new RabbitLogSettings(List.of(broker.address()), "parley", "parley", "/",
				this.prefix + "-few", 1, Duration.ofDays(1), 100_000_000, 10_000_000, Duration.ofSeconds(10), 10,
				PATIENCE);
		try (RoomLog log = RabbitRoomLog.open(settings)) {
			List<CompletableFuture<Long>> confirms = IntStream.range(0, 10_000)
				.mapToObj((i) -> log.append(0, new byte[100]))
				.toList();
			CompletableFuture.allOf(confirms.toArray(CompletableFuture[]::new)).exceptionally((ex) -> null).join();
			long accepted = confirms.stream().filter((confirm) -> !confirm.isCompletedExceptionally()).count();
			assertThat(accepted).isLessThan(10_000);
			assertThat(confirms).filteredOn(CompletableFuture::isCompletedExceptionally)
				.allSatisfy((confirm) -> assertThat(confirm.exceptionNow()).isInstanceOf(AppendRefusedException.class)
					.hasMessageContaining("check the broker for a disk alarm"));
			assertThat(append(log, 0, "next")).containsExactly(accepted);
		}
	}

	@Test
	void explainsWhyItCannotBeOpened() {
		assertThatExceptionOfType(LogUnavailableException.class)
			.isThrownBy(() -> RabbitRoomLog.open(new RabbitLogSettings(List.of(broker.address()), "parley", "wrong",
					"/", this.prefix, 4, Duration.ofDays(1), 1_000_000, 100_000, PATIENCE, 10, PATIENCE)))
			.withMessageContaining("refuses user 'parley' or its password");
		assertThatExceptionOfType(LogUnavailableException.class)
			.isThrownBy(() -> RabbitRoomLog
				.open(new RabbitLogSettings(List.of(broker.address()), "parley", "parley", "/none", this.prefix, 4,
						Duration.ofDays(1), 1_000_000, 100_000, PATIENCE, 10, Duration.ofMillis(1))))
			.withMessageContaining("VIRTUAL_HOST_ACCESS_FAILURE")
			.withMessageContaining("chat.log.rabbitmq.*");
	}

}
