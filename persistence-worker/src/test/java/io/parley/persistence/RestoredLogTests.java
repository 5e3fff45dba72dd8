package io.parley.persistence;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.parley.events.Positions;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.store.event.StoredEvent;
import io.parley.store.log.LogEpochs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestConstructor;
import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Tests a log that is older than the database, or that is mistaken for another log. */
@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:persistence")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class RestoredLogTests {

	private final PersistenceFixture fixture;

	private final LogEpochs epochs;

	private final JdbcTemplate jdbc;

	private final String room = PersistenceFixture.room();

	@TempDir
	private Path directory;

	RestoredLogTests(PersistenceFixture fixture, LogEpochs epochs, JdbcTemplate jdbc) {
		this.fixture = fixture;
		this.epochs = epochs;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void appendAndStore() {
		try (RoomLog log = open()) {
			append(log, 0, 50);
			store(log, 51);
		}
	}

	@Test
	void isRefusedWhenItIsOlderThanTheDatabase() throws IOException {
		continueAndRestoreTheCopy();
		try (RoomLog log = open()) {
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> this.fixture.worker(log))
				.withMessageContaining("is older than the database")
				.withMessageContaining("./chat restore --new-epoch");
		}
	}

	@Test
	void continuesInTheNextEpochOnRequest() throws IOException {
		long before = continueAndRestoreTheCopy();
		requestNewEpoch();
		try (RoomLog log = open()) {
			append(log, 1000, 30);
			assertThat(store(log, 51 + 40 + 31)).extracting(StoredEvent::position)
				.last()
				.satisfies((position) -> assertThat(Positions.epoch(position)).isEqualTo(before + 1));
			assertThat(Files.exists(this.directory.resolve("log/new-epoch"))).isFalse();
		}
	}

	@Test
	void losesNoUnstoredEvents() throws IOException {
		try (RoomLog log = open()) {
			append(log, 50, 20);
		}
		requestNewEpoch();
		try (RoomLog log = open()) {
			store(log, 51 + 21);
		}
	}

	@Test
	void repeatsNoEventWithoutAClientId() throws IOException {
		requestNewEpoch();
		this.jdbc.update("DELETE FROM reader_offset WHERE reader = ?", PersistenceWorker.READER);
		try (RoomLog log = open()) {
			append(log, 50, 10);
			store(log, 51 + 11);
		}
	}

	/** Returns the epoch of the log before the copy was restored. */
	private long continueAndRestoreTheCopy() throws IOException {
		FileSystemUtils.copyRecursively(this.directory.resolve("log"), this.directory.resolve("copy"));
		long epoch;
		try (RoomLog log = open()) {
			epoch = this.epochs.current(log);
			append(log, 100, 39);
			store(log, 51 + 40);
		}
		FileSystemUtils.deleteRecursively(this.directory.resolve("log"));
		FileSystemUtils.copyRecursively(this.directory.resolve("copy"), this.directory.resolve("log"));
		return epoch;
	}

	private void requestNewEpoch() throws IOException {
		Files.createFile(this.directory.resolve("log/new-epoch"));
	}

	private RoomLog open() {
		return PersistenceFixture.log(this.directory.resolve("log"), 2);
	}

	/** Appends this number of messages after a join event. */
	private void append(RoomLog log, int from, int count) {
		PersistenceFixture.append(log, PersistenceFixture.joined(this.room));
		IntStream.range(from, from + count)
			.forEach((i) -> PersistenceFixture.append(log, PersistenceFixture.message(this.room, "anna", "c" + i)));
	}

	/**
	 * Stores the records of the log and asserts that the room has this number of distinct
	 * events.
	 */
	private List<StoredEvent> store(RoomLog log, int events) {
		PersistenceWorker worker = this.fixture.worker(log);
		worker.start();
		try {
			await().atMost(Duration.ofSeconds(30))
				.until(() -> worker.lag() == 0 && this.fixture.history(this.room).size() >= events);
		}
		finally {
			worker.stop();
		}
		List<StoredEvent> history = this.fixture.history(this.room);
		assertThat(history).hasSize(events);
		assertThat(history).extracting((event) -> event.record().id()).doesNotHaveDuplicates();
		assertThat(history).extracting(StoredEvent::prev)
			.containsExactlyElementsOf(LongStream
				.concat(LongStream.of(0), history.stream().limit(events - 1L).mapToLong(StoredEvent::position))
				.boxed()
				.toList());
		return history;
	}

}
