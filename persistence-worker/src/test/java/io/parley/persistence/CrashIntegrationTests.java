package io.parley.persistence;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

import io.parley.log.RoomLog;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.StoredEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Kills a worker process while it stores events. */
class CrashIntegrationTests {

	private static final boolean FULL_SIZE = Boolean.getBoolean("parley.test.full-size");

	private static final int ROUNDS = FULL_SIZE ? 3 : 2;

	private static final int FEWEST_CONFIRMS = 1000;

	private static final int MORE_CONFIRMS = FULL_SIZE ? 10_000 : 2000;

	@TempDir
	private Path directory;

	private final Set<String> confirmed = new HashSet<>();

	@Test
	void storesEveryRecordOnceAcrossKills() throws Exception {
		Random random = new Random();
		for (int round = 0; round < ROUNDS; round++) {
			appendAndStoreUntilKilled(round, FEWEST_CONFIRMS + random.nextInt(MORE_CONFIRMS));
		}
		try (ConfigurableApplicationContext context = WorkerProcess.start(this.directory);
				RoomLog log = WorkerProcess.log(this.directory)) {
			long records = LongStream.range(0, WorkerProcess.PARTITIONS).map((p) -> log.endOffset((int) p)).sum();
			long before = rows(context);
			assertThat(before).as("stored by the killed processes").isPositive().isLessThanOrEqualTo(records);
			assertThat(storedOffsets(context)).as("the offsets of the same transactions").isEqualTo(before);
			PersistenceWorker worker = WorkerProcess.worker(context, log, (partition, next) -> {
			});
			worker.start();
			await().atMost(Duration.ofMinutes(2))
				.untilAsserted(
						() -> assertThat(rows(context)).as("rows, with the offsets at %d", storedOffsets(context))
							.isGreaterThanOrEqualTo(records));
			worker.stop();
			assertThat(rows(context)).isEqualTo(records);
			assertHistories(context.getBean(RoomEventRepository.class));
		}
	}

	private void appendAndStoreUntilKilled(int round, int confirms) throws Exception {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Djava.io.tmpdir=" + this.directory, "--enable-native-access=ALL-UNNAMED", "-Xmx256m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				WorkerProcess.class.getName(), this.directory.toString(), "r" + round)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader output = process.inputReader()) {
			readConfirms(output, confirms, 1);
			// Process.destroyForcibly() would also close the output, which is read later.
			process.toHandle().destroyForcibly();
			readConfirms(output, Integer.MAX_VALUE, Integer.MAX_VALUE);
		}
		finally {
			process.destroyForcibly().waitFor();
		}
	}

	/** Reads until there are this many confirms and stored batches. */
	private void readConfirms(BufferedReader output, int confirms, int batches) throws IOException {
		int confirmed = 0;
		int stored = 0;
		String line;
		while ((confirmed < confirms || stored < batches) && (line = output.readLine()) != null) {
			String[] words = line.split(" ");
			assertThat(line).doesNotStartWith("failed");
			if (words.length == 3 && words[0].equals("confirmed")) {
				this.confirmed.add(words[1]);
				confirmed++;
			}
			else if (line.equals("stored")) {
				stored++;
			}
		}
	}

	private static long rows(ConfigurableApplicationContext context) {
		return context.getBean(JdbcTemplate.class).queryForObject("SELECT COUNT(*) FROM room_event", Long.class);
	}

	private static long storedOffsets(ConfigurableApplicationContext context) {
		return context.getBean(JdbcTemplate.class)
			.queryForObject("SELECT SUM(next_offset) FROM reader_offset WHERE reader = ?", Long.class,
					PersistenceWorker.READER);
	}

	private void assertHistories(RoomEventRepository events) {
		Set<String> stored = new HashSet<>();
		for (int room = 0; room < WorkerProcess.ROOMS; room++) {
			List<StoredEvent> history = events.after("room" + room, 0, Integer.MAX_VALUE);
			assertThat(history).extracting(StoredEvent::number)
				.containsExactlyElementsOf(LongStream.rangeClosed(1, history.size()).boxed().toList());
			history.forEach((event) -> assertThat(stored.add(event.record().clientId())).isTrue());
		}
		assertThat(this.confirmed).hasSizeGreaterThan(ROUNDS * FEWEST_CONFIRMS / 2);
		this.confirmed.removeAll(stored);
		assertThat(this.confirmed).as("confirmed, but not stored").isEmpty();
	}

}
