package io.parley.persistence;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import javax.sql.DataSource;

import io.parley.log.RoomLog;
import io.parley.store.event.StoredEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:persistence")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@ExtendWith(OutputCaptureExtension.class)
class PersistenceWorkerTests {

	private final PersistenceFixture fixture;

	private final FailingDataSource database;

	private final RoomLog log;

	private final PersistenceWorker worker;

	private final List<String> rooms = List.of(PersistenceFixture.room(), PersistenceFixture.room(),
			PersistenceFixture.room());

	private int appended;

	PersistenceWorkerTests(PersistenceFixture fixture, DataSource dataSource) {
		this.fixture = fixture;
		this.database = (FailingDataSource) dataSource;
		this.log = fixture.log();
		this.worker = fixture.worker(this.log);
	}

	@AfterEach
	void stop() {
		this.database.down(false);
		this.worker.stop();
		this.log.close();
	}

	@Test
	void storesExistingAndNewRecords() {
		append(250);
		this.worker.start();
		append(250);
		awaitAll();
		await().until(() -> this.worker.lag() == 0);
	}

	@Test
	void resumesAfterARestart() {
		this.worker.start();
		append(300);
		this.worker.stop();
		assertThat(this.worker.isRunning()).isFalse();
		append(300);
		PersistenceWorker successor = this.fixture.worker(this.log);
		successor.start();
		awaitAll();
		successor.stop();
	}

	@Test
	void takesOverFromAWorkerThatStops() {
		PersistenceWorker standby = this.fixture.worker(this.log);
		this.worker.start();
		append(100);
		awaitAll();
		standby.start();
		append(100);
		awaitAll();
		assertThat(standby.lag()).isZero();
		this.worker.stop();
		append(100);
		awaitAll();
		standby.stop();
	}

	@Test
	void skipsNothingWhileTheDatabaseIsDownAndSaysSoOncePerPartition(CapturedOutput output) {
		this.worker.start();
		append(50);
		awaitAll();
		this.database.down(true);
		append(200);
		await().until(() -> output.getOut().contains("retrying with back-off"));
		await().until(() -> this.worker.lag() > 0);
		this.database.down(false);
		awaitAll();
		await().until(() -> output.getOut().contains("recovered after"));
		assertThat(output.getOut().split("retrying with back-off", -1).length - 1).isBetween(1, this.log.partitions());
	}

	@Test
	void rereadsRecordsAfterTheDatabaseWasRestoredFromABackup(CapturedOutput output) {
		this.worker.start();
		append(100);
		awaitAll();
		this.fixture.forget(this.log, this.rooms);
		append(100);
		awaitAll();
		assertThat(output.getOut()).contains("the database was restored to an earlier state");
	}

	@Test
	void startsWhileTheDatabaseIsDown(CapturedOutput output) {
		append(50);
		this.database.down(true);
		this.worker.start();
		await().until(() -> output.getOut().contains("retrying with back-off"));
		this.database.down(false);
		awaitAll();
	}

	@Test
	void reportsTheStoredOffset() throws Exception {
		append(30);
		List<Long> reported = new ArrayList<>();
		String room = this.rooms.getFirst();
		EventWriter writer = this.fixture.writer(this.log, (partition, next) -> reported.add(next));
		var records = PersistenceFixture.records(this.log, room);
		int partition = records.getFirst().partition();
		writer.handle(partition, records.subList(0, 3));
		writer.handle(partition, records.subList(3, records.size()));
		assertThat(reported).containsExactly(3L, this.log.endOffset(partition));
		assertThat(writer.nextOffset(partition)).isEqualTo(reported.getLast());
	}

	private void append(int count) {
		for (int i = 0; i < count; i++, this.appended++) {
			PersistenceFixture.append(this.log,
					PersistenceFixture.message(this.rooms.get(this.appended % 3), "anna", "c" + this.appended));
		}
	}

	/**
	 * Waits until everything is stored and asserts that it is stored once and in order.
	 */
	private void awaitAll() {
		for (int r = 0; r < 3; r++) {
			String room = this.rooms.get(r);
			List<String> expected = IntStream.iterate(r, (i) -> i < this.appended, (i) -> i + 3)
				.mapToObj((i) -> "c" + i)
				.toList();
			await().until(() -> this.fixture.history(room).size() >= expected.size());
			assertThat(this.fixture.history(room)).extracting((event) -> event.record().clientId())
				.containsExactlyElementsOf(expected);
			assertThat(this.fixture.history(room)).extracting(StoredEvent::number)
				.containsExactlyElementsOf(IntStream.rangeClosed(1, expected.size()).mapToObj(Long::valueOf).toList());
		}
	}

}
