package io.parley.log.kafka;

import java.io.BufferedReader;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogReading;
import io.parley.log.LogRecord;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Stops and restarts the broker; kills and suspends processes. */
class KafkaOutageIntegrationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int IN_FLIGHT = 500;

	@RegisterExtension
	static final KafkaBroker broker = new KafkaBroker();

	private final String topic = "test-" + UUID.randomUUID();

	/** A test that fails leaves the broker to the others as it was. */
	@AfterEach
	void startAgain() {
		broker.start();
	}

	private KafkaRoomLog open() {
		return KafkaRoomLog.open(broker.settings(this.topic, 1));
	}

	@Test
	void keepsEachConfirmedRecordOnceWhenTheBrokerIsRestarted() throws Exception {
		Ledger ledger = new Ledger();
		try (KafkaRoomLog log = open()) {
			AtomicBoolean stop = new AtomicBoolean();
			Thread appender = Thread.ofPlatform().start(() -> ledger.appendUntil(log, stop));
			await().atMost(PATIENCE).until(() -> ledger.confirmed.size() > 2_000);
			broker.stop();
			broker.start();
			int before = ledger.confirmed.size();
			await().atMost(PATIENCE).until(() -> ledger.confirmed.size() > before + 2_000);
			stop.set(true);
			appender.join();
			ledger.assertAllPresentOnce(LogReading.readAll(log, 0));
		}
		try (KafkaRoomLog log = open()) {
			ledger.assertAllPresentOnce(LogReading.readAll(log, 0));
		}
	}

	@Test
	void refusesAppendsWhileTheBrokerIsDownAndRecovers() throws Exception {
		try (KafkaRoomLog log = open();
				LogReader follower = log.follow(0, 0);
				LogReader claimed = log.claim("worker", 0, () -> 1);
				LogReader late = log.follow(0, 0)) {
			LogReading.append(log, 0, "before", "and");
			assertThat(LogReading.readTexts(follower, 2)).containsExactly("before", "and");
			assertThat(LogReading.readTexts(claimed, 1)).containsExactly("and");
			broker.stop();
			await().atMost(PATIENCE).until(() -> log.unavailableReason().isPresent());
			CompletableFuture<Long> refused = log.append(0, new byte[1]);
			assertThat(refused).isCompletedExceptionally();
			// The client may notice first that the partition has no leader any more.
			assertThat(refused.exceptionNow()).isInstanceOf(AppendRefusedException.class)
				.hasMessageMatching("Kafka at " + broker.address() + " is unavailable.*"
						+ "|Partition 0 of the log has no leader: check that all Kafka brokers are running");
			assertThat(follower.poll(1, Duration.ZERO)).isEmpty();
			assertThat(claimed.poll(1, Duration.ZERO)).isEmpty();
			assertThat(late.poll(1, Duration.ZERO)).isEmpty();
			broker.start();
			await().atMost(PATIENCE).until(() -> log.unavailableReason().isEmpty());
			LogReading.append(log, 0, "after");
			assertThat(LogReading.readTexts(follower, 1)).containsExactly("after");
			await().atMost(PATIENCE)
				.until(() -> LogReading.texts(claimed.poll(10, Duration.ofMillis(100))).contains("after"));
			assertThat(LogReading.readTexts(late, 3)).containsExactly("before", "and", "after");
		}
	}

	@Test
	void closesItsProducerWhenTheBrokerFailsDuringOpen() throws Exception {
		// The broker may not know a topic for a moment after it was created.
		open().close();
		KafkaLogSettings settings = broker.settings(this.topic, 1);
		Set<Thread> before = producers();
		try (Admin admin = broker.admin()) {
			// Works until the producer is open and fails from then on.
			Admin failingAdmin = (Admin) Proxy.newProxyInstance(getClass().getClassLoader(),
					new Class<?>[] { Admin.class }, (proxy, method, arguments) -> {
						if (!before.containsAll(producers())) {
							throw new KafkaException("The broker is down");
						}
						return method.invoke(admin, arguments);
					});
			assertThatExceptionOfType(KafkaException.class)
				.isThrownBy(() -> new KafkaRoomLog(new Clients(settings), failingAdmin, settings))
				.withMessage("The broker is down");
			await().atMost(PATIENCE).until(() -> before.containsAll(producers()));
		}
	}

	private static Set<Thread> producers() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("kafka-producer-network-thread"))
			.collect(Collectors.toSet());
	}

	@Test
	void closesWhileTheBrokerIsDown() throws Exception {
		KafkaRoomLog log = open();
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
		try (KafkaRoomLog log = open()) {
			LogReading.append(log, 0, "a", "b", "c");
			Process process = child();
			try (LogReader reader = log.claim("worker", 0, () -> 2); BufferedReader output = process.inputReader()) {
				awaitLine(output, " c .");
				assertThat(reader.poll(1, Duration.ofMillis(500))).isEmpty();
				process.toHandle().destroyForcibly();
				assertThat(LogReading.readTexts(reader, 1)).containsExactly("c");
			}
			finally {
				end(process);
			}
		}
	}

	@Test
	void doesNotContinueReadingAfterASuspensionWhenAnotherIsActive() throws Exception {
		try (KafkaRoomLog log = open()) {
			LogReading.append(log, 0, "a", "b", "c");
			Process process = child();
			try (LogReader reader = log.claim("worker", 0, () -> 2); BufferedReader output = process.inputReader()) {
				awaitLine(output, " c .");
				signal(process, "STOP");
				assertThat(LogReading.readTexts(reader, 1)).containsExactly("c");
				LogReading.append(log, 0, "d");
				signal(process, "CONT");
				assertThat(LogReading.readTexts(reader, 1)).containsExactly("d");
				for (int i = 0; i < 10; i++) {
					LogReading.append(log, 0, "more");
					assertThat(LogReading.readTexts(reader, 1)).containsExactly("more");
				}
				process.toHandle().destroyForcibly();
				assertThat(output.lines()).isEmpty();
			}
			finally {
				end(process);
			}
		}
	}

	private Process child() throws Exception {
		return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				KafkaReaderProcess.class.getName(), broker.address(), this.topic)
			.redirectError(ProcessBuilder.Redirect.DISCARD)
			.start();
	}

	private static void awaitLine(BufferedReader output, String end) throws Exception {
		String line = output.readLine();
		while (line != null && !line.endsWith(end)) {
			line = output.readLine();
		}
		assertThat(line).isNotNull();
	}

	private static void signal(Process process, String name) throws Exception {
		assertThat(new ProcessBuilder("kill", "-" + name, String.valueOf(process.pid())).start().waitFor()).isZero();
	}

	private static void end(Process process) throws InterruptedException {
		process.toHandle().destroyForcibly();
		process.waitFor();
	}

	/** Records what was appended and the outcome of each append. */
	private static final class Ledger {

		private final Map<String, Long> confirmed = new ConcurrentHashMap<>();

		private final Map<String, Boolean> unknown = new ConcurrentHashMap<>();

		void appendUntil(KafkaRoomLog log, AtomicBoolean stop) {
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
		}

		void assertAllPresentOnce(List<LogRecord> records) {
			Map<String, Long> found = new ConcurrentHashMap<>();
			for (LogRecord record : records) {
				String text = new String(record.data(), StandardCharsets.UTF_8);
				assertThat(found.put(text, record.offset())).as(text + " is there twice").isNull();
				assertThat(this.confirmed.containsKey(text) || this.unknown.containsKey(text)).as(text).isTrue();
			}
			assertThat(found).containsAllEntriesOf(this.confirmed);
		}

	}

}
