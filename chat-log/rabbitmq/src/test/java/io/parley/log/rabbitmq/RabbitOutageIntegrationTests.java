package io.parley.log.rabbitmq;

import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogReading;
import io.parley.log.LogRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Stops, kills and restarts the broker; kills processes. */
class RabbitOutageIntegrationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int IN_FLIGHT = 500;

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	private final String prefix = "test-" + UUID.randomUUID();

	private RabbitRoomLog open() {
		return RabbitRoomLog.open(broker.settings(this.prefix, 1));
	}

	@Test
	@Tag("exhaustive")
	void keepsEachConfirmedRecordOnceWhenTheBrokerIsRestarted() throws Exception {
		appendThrough(broker::restart);
	}

	@Test
	void keepsEachConfirmedRecordOnceWhenTheBrokerIsKilled() throws Exception {
		appendThrough(() -> {
			broker.kill();
			broker.start();
		});
	}

	private void appendThrough(Runnable outage) throws Exception {
		Ledger ledger = new Ledger();
		try (RabbitRoomLog log = open()) {
			AtomicBoolean stop = new AtomicBoolean();
			Thread appender = Thread.ofPlatform().start(() -> ledger.appendUntil(log, stop));
			await().atMost(PATIENCE).until(() -> ledger.confirmed.size() > 2_000);
			outage.run();
			int before = ledger.confirmed.size();
			await().atMost(PATIENCE).until(() -> ledger.confirmed.size() > before + 2_000);
			stop.set(true);
			appender.join();
			ledger.assertAllPresentOnce(LogReading.readAll(log, 0));
		}
		try (RabbitRoomLog log = open()) {
			ledger.assertAllPresentOnce(LogReading.readAll(log, 0));
		}
	}

	@Test
	void confirmsARecordOnceAlthoughItsConfirmWasLost() throws Exception {
		try (Wire wire = new Wire(broker.port());
				RabbitRoomLog log = RabbitRoomLog.open(RabbitBroker.settings(wire.address(), this.prefix, 1));
				RabbitRoomLog direct = open()) {
			LogReading.append(log, 0, "before");
			wire.holdResponses();
			List<CompletableFuture<Long>> confirms = IntStream.range(0, 100)
				.mapToObj((i) -> log.append(0, new byte[100]))
				.toList();
			await().atMost(PATIENCE).until(() -> direct.endOffset(0) == 101);
			assertThat(confirms).noneMatch(CompletableFuture::isDone);
			wire.cut();
			assertThat(confirms).extracting(CompletableFuture::join)
				.containsExactlyElementsOf(LongStream.rangeClosed(1, 100).boxed().toList());
			await().atMost(PATIENCE).until(() -> !log.append(0, new byte[1]).isCompletedExceptionally());
			LogReading.append(log, 0, "after");
			assertThat(log.endOffset(0)).isEqualTo(103);
		}
	}

	@Test
	void refusesAppendsAtOnceWhileTheBrokerIsDownAndRecovers() throws Exception {
		try (RabbitRoomLog log = open();
				LogReader follower = log.follow(0, 0);
				LogReader claimed = log.claim("worker", 0, () -> 0);
				LogReader late = log.follow(0, 0)) {
			LogReading.append(log, 0, "before");
			assertThat(LogReading.readTexts(follower, 1)).containsExactly("before");
			assertThat(LogReading.readTexts(claimed, 1)).containsExactly("before");
			broker.stop();
			await().atMost(PATIENCE).until(() -> log.append(0, new byte[1]).isCompletedExceptionally());
			CompletableFuture<Long> refused = log.append(0, new byte[1]);
			assertThat(refused).isCompletedExceptionally();
			assertThat(refused.exceptionNow()).isInstanceOf(AppendRefusedException.class)
				.hasMessageContaining("RabbitMQ at " + broker.address() + " is unavailable");
			assertThat(log.unavailableReason()).contains(refused.exceptionNow().getMessage());
			assertThat(follower.poll(1, Duration.ZERO)).isEmpty();
			assertThat(claimed.poll(1, Duration.ZERO)).isEmpty();
			assertThat(late.poll(1, Duration.ZERO)).isEmpty();
			broker.start();
			await().atMost(PATIENCE).until(() -> !log.append(0, "after".getBytes()).isCompletedExceptionally());
			await().atMost(PATIENCE).until(() -> log.unavailableReason().isEmpty());
			assertThat(LogReading.readTexts(follower, 1)).containsExactly("after");
			assertThat(LogReading.readTexts(claimed, 2)).containsExactly("before", "after");
			assertThat(LogReading.readTexts(late, 2)).containsExactly("before", "after");
		}
	}

	@Test
	void refusesAppendsDuringADiskAlarmAndRecovers() throws Exception {
		RabbitLogSettings settings = new RabbitLogSettings(List.of(broker.address()), "parley", "parley", "/",
				this.prefix, 1, Duration.ofDays(1), 1_000_000_000, 100_000_000, Duration.ofSeconds(2), 100, PATIENCE);
		try (RabbitRoomLog log = RabbitRoomLog.open(settings)) {
			LogReading.append(log, 0, "before");
			broker.setFreeDiskLimit("100000GB");
			List<CompletableFuture<Long>> unknown = new ArrayList<>();
			await().atMost(PATIENCE).until(() -> {
				unknown.add(log.append(0, new byte[100]));
				return unknown.getLast().isCompletedExceptionally();
			});
			assertThat(unknown.getLast().exceptionNow()).isInstanceOf(AppendRefusedException.class)
				.hasMessageContaining("check the broker for a disk alarm");
			assertThat(unknown.get(unknown.size() - 2)).failsWithin(PATIENCE)
				.withThrowableThat()
				.withCauseInstanceOf(AppendUnknownException.class);
			assertThat(log.append(0, new byte[1])).isCompletedExceptionally();
			assertThat(log.unavailableReason()).hasValueSatisfying((why) -> assertThat(why).contains("disk alarm"));
			broker.setFreeDiskLimit("50MB");
			await().atMost(PATIENCE).until(() -> !log.append(0, new byte[1]).isCompletedExceptionally());
			LogReading.append(log, 0, "after");
			await().atMost(PATIENCE).until(() -> log.unavailableReason().isEmpty());
		}
		finally {
			broker.setFreeDiskLimit("50MB");
		}
	}

	@Test
	void closesWhileTheBrokerIsDown() throws Exception {
		RabbitRoomLog log = open();
		LogReader reader = log.claim("worker", 0, () -> 0);
		try {
			LogReading.append(log, 0, "before");
			assertThat(LogReading.readTexts(reader, 1)).containsExactly("before");
			broker.stop();
			log.close();
			assertThatExceptionOfType(LogClosedException.class).isThrownBy(() -> reader.poll(1, Duration.ZERO));
		}
		finally {
			broker.start();
		}
	}

	@Test
	void takesOverWhenTheProcessThatReadsIsKilled() throws Exception {
		try (RabbitRoomLog log = open()) {
			LogReading.append(log, 0, "a", "b", "c");
			Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-Xmx128m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp",
					System.getProperty("java.class.path"), RabbitReaderProcess.class.getName(), broker.address(),
					this.prefix)
				.redirectError(ProcessBuilder.Redirect.DISCARD)
				.start();
			try (LogReader reader = log.claim("worker", 0, () -> 2); BufferedReader output = process.inputReader()) {
				String line = output.readLine();
				while (line != null && !line.endsWith(" c .")) {
					line = output.readLine();
				}
				assertThat(reader.poll(1, Duration.ofMillis(500))).isEmpty();
				process.toHandle().destroyForcibly();
				assertThat(LogReading.readTexts(reader, 1)).containsExactly("c");
			}
			finally {
				process.toHandle().destroyForcibly();
				process.waitFor();
			}
		}
	}

	/** Records what was appended and the outcome of each append. */
	private static final class Ledger {

		private final Map<String, Long> confirmed = new ConcurrentHashMap<>();

		private final Map<String, Boolean> unknown = new ConcurrentHashMap<>();

		void appendUntil(RabbitRoomLog log, AtomicBoolean stop) {
			Semaphore free = new Semaphore(IN_FLIGHT);
			for (int i = 0; !stop.get(); i++) {
				free.acquireUninterruptibly();
				String text = "record " + i;
				CompletableFuture<Long> confirm = log.append(0, text.getBytes(StandardCharsets.UTF_8));
				if (confirm.isCompletedExceptionally()) {
					LockSupport.parkNanos(1_000_000);
				}
				confirm.whenComplete((offset, failure) -> {
					note(text, offset, failure);
					free.release();
				});
			}
			free.acquireUninterruptibly(IN_FLIGHT);
		}

		private void note(String text, Long offset, Throwable failure) {
			Throwable cause = (failure instanceof CompletionException) ? failure.getCause() : failure;
			if (cause == null) {
				this.confirmed.put(text, offset);
			}
			else if (cause instanceof AppendUnknownException) {
				this.unknown.put(text, true);
			}
			else {
				assertThat(cause).isInstanceOf(AppendRefusedException.class);
			}
		}

		void assertAllPresentOnce(List<LogRecord> records) {
			Map<String, Long> found = new ConcurrentHashMap<>();
			for (LogRecord record : records) {
				String text = new String(record.data(), StandardCharsets.UTF_8);
				assertThat(found.put(text, record.offset())).as(text + " is there twice").isNull();
				assertThat(this.confirmed.containsKey(text) || this.unknown.containsKey(text)).isTrue();
			}
			assertThat(found).containsAllEntriesOf(this.confirmed);
		}

	}

}
