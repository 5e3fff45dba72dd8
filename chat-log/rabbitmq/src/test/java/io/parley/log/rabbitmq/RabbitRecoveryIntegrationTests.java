package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import com.rabbitmq.stream.Environment;
import io.parley.log.LogReading;
import io.parley.log.LogRecord;
import io.parley.log.LogReplacedException;
import io.parley.log.RoomLog;
import io.parley.log.health.LogHealthIndicator;
import io.parley.log.worker.BatchHandler;
import io.parley.log.worker.PartitionedReader;
import io.parley.log.worker.ReaderSettings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Checks what recovers without help and what requires a restart. */
class RabbitRecoveryIntegrationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int PARTITIONS = 3;

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	private final String prefix = "test-" + UUID.randomUUID();

	private final Recorder recorder = new Recorder();

	private final List<LogReplacedException> replaced = Collections.synchronizedList(new ArrayList<>());

	private RoomLog open() {
		return RabbitRoomLog.open(broker.settings(this.prefix, PARTITIONS));
	}

	@Test
	void waitsForABrokerThatStartsLater() {
		broker.stop();
		CompletableFuture<RoomLog> opening;
		try {
			opening = CompletableFuture.supplyAsync(this::open);
			assertThat(opening).isNotDone();
		}
		finally {
			broker.start();
		}
		try (RoomLog log = opening.join()) {
			assertThat(LogReading.append(log, 0, "a")).containsExactly(0L);
		}
	}

	@Test
	void continuesInOrderAndIsHealthyAfterARestartOfTheBroker() {
		try (RoomLog log = open()) {
			PartitionedReader reader = reader(log);
			LogHealthIndicator health = new LogHealthIndicator(log, reader::lag, Duration.ZERO);
			reader.start();
			append(log, "before");
			await().atMost(PATIENCE).until(() -> this.recorder.handled.size() == PARTITIONS);
			assertThat(health.health().getStatus()).isEqualTo(Status.UP);
			broker.stop();
			try {
				await().atMost(PATIENCE).until(() -> health.health().getStatus() == Status.DOWN);
				assertThat(health.health().getDetails().get("trouble").toString())
					.contains("RabbitMQ at " + broker.address() + " is unavailable");
			}
			finally {
				broker.start();
			}
			await().atMost(PATIENCE).untilAsserted(() -> {
				Health now = health.health();
				assertThat(now.getStatus()).as(now.toString()).isEqualTo(Status.UP);
			});
			append(log, "after");
			await().atMost(PATIENCE).until(() -> this.recorder.handled.size() == 2 * PARTITIONS);
			assertThat(this.recorder.handled).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 2 * PARTITIONS)
				.mapToObj((i) -> i / 2 + ": " + ((i % 2 == 0) ? "before" : "after"))
				.toList());
			reader.stop();
		}
		assertThat(this.replaced).isEmpty();
	}

	/** After a refused permission the client does not try again. */
	@Test
	void continuesWhenARefusedPermissionIsGrantedAgain() throws Exception {
		try (RoomLog log = open()) {
			append(log, "before");
			broker.setWritePermission("nothing");
			broker.restart();
			await().atMost(PATIENCE).until(() -> log.unavailableReason().isPresent());
			await().atMost(PATIENCE).ignoreExceptions().until(() -> broker.consumers(this.prefix, 0) == 1);
			assertThat(log.unavailableReason()).isPresent();
			broker.setWritePermission(".*");
			await().atMost(PATIENCE).until(() -> log.unavailableReason().isEmpty());
			assertThat(LogReading.append(log, 0, "after")).containsExactly(1L);
		}
	}

	@Test
	void reportsAReplacedLogInsteadOfRetryingForever() {
		try (RoomLog log = open()) {
			PartitionedReader reader = reader(log);
			reader.start();
			append(log, "before");
			await().atMost(PATIENCE).until(() -> this.recorder.handled.size() == PARTITIONS);
			IntStream.range(0, PARTITIONS).forEach((partition) -> broker.deleteStream(this.prefix, partition));
			await().atMost(PATIENCE).until(() -> this.replaced.size() == PARTITIONS);
			assertThat(this.replaced).allSatisfy((ex) -> assertThat(ex).hasMessageContaining("restart this process"));
			reader.stop();
		}
		try (RoomLog log = open()) {
			assertThat(LogReading.append(log, 0, "new")).containsExactly(0L);
		}
	}

	/**
	 * More records are written and read between the request to the broker and its
	 * response.
	 */
	@Test
	void doesNotReportAReplacedLogDuringManyAppends() throws Exception {
		AtomicBoolean enough = new AtomicBoolean();
		try (RoomLog log = open(); Environment environment = broker.environment()) {
			RabbitPartition partition = new RabbitPartition(environment, this.prefix + ".0", 0,
					broker.settings(this.prefix, PARTITIONS), new InFlightLimit(1), 1);
			Thread writing = Thread.ofPlatform().start(() -> {
				while (!enough.get()) {
					LogReading.append(log, 0, "much");
				}
			});
			try {
				for (int look = 0; look < 1_000; look++) {
					assertThat(partition.check()).as("look %d", look).isTrue();
				}
			}
			finally {
				enough.set(true);
				writing.join();
			}
		}
	}

	private PartitionedReader reader(RoomLog log) {
		return new PartitionedReader("test", log, this.recorder,
				new ReaderSettings(10, Duration.ofMillis(100), Duration.ofMillis(10), Duration.ofSeconds(1)),
				this.replaced::add);
	}

	private static void append(RoomLog log, String text) {
		IntStream.range(0, PARTITIONS)
			.forEach((partition) -> await().atMost(PATIENCE)
				.ignoreExceptions()
				.until(() -> LogReading.append(log, partition, text), (offsets) -> true));
	}

	/**
	 * Records what it handles. A new process would continue after the last handled
	 * record.
	 */
	private static final class Recorder implements BatchHandler {

		private final List<String> handled = Collections.synchronizedList(new ArrayList<>());

		@Override
		public long nextOffset(int partition) {
			return this.handled.stream().filter((text) -> text.startsWith(partition + ":")).count();
		}

		@Override
		public void handle(int partition, List<LogRecord> batch) {
			LogReading.texts(batch).forEach((text) -> this.handled.add(partition + ": " + text));
		}

	}

}
