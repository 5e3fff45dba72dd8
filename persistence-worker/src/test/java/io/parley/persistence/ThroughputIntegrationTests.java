package io.parley.persistence;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.parley.log.RoomLog;
import io.parley.log.worker.ReaderSettings;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stores a backlog of the embedded log in a database on disk and prints the throughput.
 * {@code -Dparley.test.events=1000000} makes it longer.
 */
@Tag("exhaustive")
class ThroughputIntegrationTests {

	private static final int EVENTS = Integer.getInteger("parley.test.events",
			Boolean.getBoolean("parley.test.full-size") ? 200_000 : 20_000);

	private static final int ROOMS = 1000;

	private static final int IN_FLIGHT = 5000;

	@TempDir
	private Path directory;

	@Test
	void storesALongBacklogExactlyOnce() {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(WorkerApplication.class)
			.web(WebApplicationType.NONE)
			.properties(database())
			.run()) {
			PersistenceFixture fixture = context.getBean(PersistenceFixture.class);
			try (RoomLog log = fixture.log(8)) {
				append(log);
				store(log, fixture, context.getBean(JdbcTemplate.class));
			}
		}
	}

	/** Returns the properties of the database. */
	String[] database() {
		return new String[] {
				"spring.datasource.url=jdbc:h2:file:" + this.directory.resolve("parley") + ";WRITE_DELAY=0" };
	}

	private static void append(RoomLog log) {
		Queue<CompletableFuture<Long>> waiting = new ArrayDeque<>();
		for (int i = 0; i < EVENTS; i++) {
			waiting.add(PersistenceFixture.appending(log,
					PersistenceFixture.message("room" + i % ROOMS, "user" + i % 50, "c" + i)));
			if (waiting.size() > IN_FLIGHT) {
				waiting.remove().join();
			}
		}
		waiting.forEach(CompletableFuture::join);
	}

	private void store(RoomLog log, PersistenceFixture fixture, JdbcTemplate jdbc) {
		PersistenceWorker worker = new PersistenceWorker(log, fixture.writer(log),
				ReaderSettings.of(PersistenceWorker.MAX_BATCH), (event) -> {
				});
		Duration cpu = cpuTime();
		long start = System.nanoTime();
		worker.start();
		await().atMost(Duration.ofMinutes(10))
			.pollInterval(Duration.ofMillis(100))
			.until(() -> jdbc.queryForObject("SELECT COALESCE(SUM(last_number), 0) FROM room_head",
					Integer.class) >= EVENTS);
		long millis = Duration.ofNanos(System.nanoTime() - start).toMillis();
		long cpuMicros = cpuTime().minus(cpu).toNanos() / 1000;
		worker.stop();
		assertThat(jdbc.queryForObject("SELECT COUNT(*) FROM room_event", Integer.class)).isEqualTo(EVENTS);
		assertThat(jdbc.queryForList("""
				SELECT room_id FROM room_event GROUP BY room_id
				HAVING COUNT(DISTINCT number) <> COUNT(*) OR MAX(number) <> COUNT(*)""", String.class)).isEmpty();
		System.out.printf("%s: stored %,d events in %,d ms, %,d rows/s, %d us of this process's CPU time a row%n",
				getClass().getSimpleName(), EVENTS, millis, EVENTS * 1000L / millis, cpuMicros / EVENTS);
	}

	/** More reliable than elapsed time on a machine with other load. */
	private static Duration cpuTime() {
		return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
	}

}
