package io.parley.persistence;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.events.EventRecord;
import io.parley.events.RoomNames;
import io.parley.log.RoomLog;
import io.parley.store.MySqlServer;
import io.parley.store.OnMySql;
import io.parley.store.event.StoredEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests errors of a MySQL server, which another connection provokes. */
@SpringBootTest(classes = WorkerApplication.class,
		properties = { "spring.datasource.url=jdbc:h2:mem:trouble",
				"spring.datasource.hikari.username=" + MySqlTroubleIntegrationTests.ORDINARY,
				"spring.datasource.hikari.connection-init-sql=SET SESSION innodb_lock_wait_timeout = 1" })
@OnMySql
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@ExtendWith(OutputCaptureExtension.class)
class MySqlTroubleIntegrationTests {

	/** A user with all privileges on the database of this test and none on others. */
	static final String ORDINARY = "ordinary";

	private static final String DATABASE = MySqlServer.name("trouble");

	private final PersistenceFixture fixture;

	private final RoomLog log;

	private final PersistenceWorker worker;

	private final String room = PersistenceFixture.room();

	private final int partition;

	private Connection connection;

	private JdbcTemplate other;

	private int appended;

	MySqlTroubleIntegrationTests(PersistenceFixture fixture) {
		this.fixture = fixture;
		this.log = fixture.log();
		this.partition = RoomNames.partition(this.room, this.log.partitions());
		this.worker = fixture.worker(this.log);
	}

	@BeforeAll
	static void createTheOrdinaryUser() throws SQLException {
		try (Connection connection = connect(); Statement statement = connection.createStatement()) {
			statement
				.execute("CREATE USER IF NOT EXISTS " + ORDINARY + " IDENTIFIED BY '" + MySqlServer.PASSWORD + "'");
			statement.execute("GRANT ALL ON " + DATABASE + ".* TO " + ORDINARY);
		}
	}

	private static Connection connect() throws SQLException {
		return DriverManager.getConnection(MySqlServer.url("trouble"), MySqlServer.USERNAME, MySqlServer.PASSWORD);
	}

	@BeforeEach
	void storeSome() throws SQLException {
		this.connection = connect();
		this.other = new JdbcTemplate(new SingleConnectionDataSource(this.connection, true));
		append(100);
		this.worker.start();
		awaitAll();
	}

	@AfterEach
	void stop() throws SQLException {
		this.connection.close();
		this.worker.stop();
		this.log.close();
	}

	@Test
	void retriesABatchAfterADeadlock(CapturedOutput output) throws Exception {
		this.connection.setAutoCommit(false);
		// InnoDB rolls back the transaction that has changed fewer rows.
		this.other.batchUpdate("INSERT INTO account (username, password_hash, created_at) VALUES (?, '', NOW())",
				IntStream.range(0, 2000).mapToObj((i) -> new Object[] { "account" + i }).toList());
		this.other.update("UPDATE room_head SET last_number = last_number WHERE room_id = ?", this.room);
		append(10);
		awaitLockWait();
		this.other.update("UPDATE reader_offset SET epoch = epoch WHERE reader = 'persistence' AND partition_no = ?",
				this.partition);
		this.connection.rollback();
		awaitAll();
		assertThat(output.getOut()).contains("Deadlock found");
	}

	@Test
	void retriesABatchAfterALockWaitTimeout(CapturedOutput output) throws Exception {
		this.connection.setAutoCommit(false);
		this.other.update("UPDATE room_head SET last_number = last_number WHERE room_id = ?", this.room);
		append(10);
		await().until(() -> output.getOut().contains("Lock wait timeout exceeded"));
		this.connection.rollback();
		awaitAll();
	}

	@Test
	void storesABatchInProgressOnceWhenConnectionsAreCut() {
		for (int round = 0; round < 10; round++) {
			append(500);
			this.other
				.queryForList("SELECT id FROM information_schema.processlist WHERE db = ? AND id <> CONNECTION_ID()",
						Long.class, DATABASE)
				.forEach(this::kill);
		}
		awaitAll();
	}

	private void kill(long id) {
		try {
			this.other.execute("KILL " + id);
		}
		catch (RuntimeException ex) {
			assertThat(ex).hasMessageContaining("Unknown thread id");
		}
	}

	/**
	 * Read-only affects ordinary users only. RightsIntegrationTests, the other test with
	 * such users, repeats its statements.
	 */
	@Test
	void parksNothingWhileTheServerIsReadOnly(CapturedOutput output) {
		this.other.execute("SET GLOBAL read_only = ON");
		try {
			append(10);
			await().until(() -> output.getOut().contains("retrying with back-off"));
			assertThat(this.fixture.history(this.room)).hasSize(100);
		}
		finally {
			this.other.execute("SET GLOBAL read_only = OFF");
		}
		awaitAll();
	}

	@Test
	void parksTextOutsideTheCharacterSetOfTheColumn() {
		this.other.execute("ALTER TABLE room_event MODIFY sender VARCHAR(64) CHARACTER SET latin1 NOT NULL");
		try {
			PersistenceFixture.append(this.log, PersistenceFixture.message(this.room, "安娜", "foreign"));
			append(10);
			awaitHistory();
			assertThat(this.fixture.parkedReasons(this.log)).singleElement()
				.satisfies((reason) -> assertThat(reason).contains("Incorrect string value"));
		}
		finally {
			this.other.execute("ALTER TABLE room_event MODIFY sender VARCHAR(64) NOT NULL");
		}
	}

	private void append(int count) {
		EventRecord[] events = IntStream.range(0, count)
			.mapToObj((i) -> PersistenceFixture.message(this.room, "anna", "c" + (this.appended + i)))
			.toArray(EventRecord[]::new);
		this.appended += count;
		PersistenceFixture.append(this.log, events);
	}

	private void awaitLockWait() {
		await().until(
				() -> this.other.queryForObject("SELECT COUNT(*) FROM performance_schema.data_locks "
						+ "WHERE lock_status = 'WAITING' AND object_schema = ?", Long.class, DATABASE),
				(waits) -> waits > 0);
	}

	private void awaitAll() {
		awaitHistory();
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	/** Waits until everything is stored once and in order. */
	private void awaitHistory() {
		await().until(() -> this.fixture.history(this.room).size() >= this.appended);
		List<StoredEvent> history = this.fixture.history(this.room);
		assertThat(history).extracting((event) -> event.record().clientId())
			.containsExactlyElementsOf(IntStream.range(0, this.appended).mapToObj((i) -> "c" + i).toList());
		assertThat(history).extracting(StoredEvent::number)
			.containsExactlyElementsOf(IntStream.rangeClosed(1, this.appended).mapToObj(Long::valueOf).toList());
	}

}
