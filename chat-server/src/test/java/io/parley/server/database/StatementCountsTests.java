package io.parley.server.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StatementCountsTests {

	private final SimpleMeterRegistry meters = new SimpleMeterRegistry();

	private final StatementCounts counts = new StatementCounts();

	private final StatementCountDataSource connections = new StatementCountDataSource(
			new DriverManagerDataSource("jdbc:h2:mem:"), this.counts);

	private final JdbcTemplate jdbc = new JdbcTemplate(this.connections);

	@BeforeEach
	void register() {
		this.counts.bindTo(this.meters);
	}

	private double count(String by) {
		return this.meters.get("chat.db.statements").tag("by", by).functionCounter().count();
	}

	@Test
	void countsEachQueryOfARequest() {
		this.jdbc.queryForObject("SELECT 1", Integer.class);
		this.jdbc.queryForObject("SELECT CAST(? AS INT)", Integer.class, 2);
		assertThat(count("server")).isEqualTo(2);
		assertThat(count("worker")).isZero();
	}

	@Test
	void countsABatchOnce() throws SQLException {
		try (Connection connection = this.connections.getConnection()) {
			JdbcTemplate one = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
			one.execute("CREATE TABLE x (a INT)");
			one.batchUpdate("INSERT INTO x VALUES (?)", List.of(new Object[] { 1 }, new Object[] { 2 }));
			assertThat(one.queryForObject("SELECT COUNT(*) FROM x", Integer.class)).isEqualTo(2);
		}
		assertThat(count("server")).isEqualTo(3);
	}

	@Test
	void countsWorkersApart() throws InterruptedException {
		Thread worker = Thread.ofPlatform()
			.name("persistence-0")
			.start(() -> this.jdbc.queryForObject("SELECT 1", Integer.class));
		worker.join();
		assertThat(count("worker")).isEqualTo(1);
		assertThat(count("server")).isZero();
	}

	@Test
	void throwsWhatTheDatabaseThrows() throws SQLException {
		try (Connection connection = this.connections.getConnection()) {
			assertThatExceptionOfType(SQLException.class).isThrownBy(() -> connection.prepareStatement("NONSENSE"));
		}
	}

}
