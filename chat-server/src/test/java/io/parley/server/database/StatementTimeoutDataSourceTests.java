package io.parley.server.database;

import java.sql.Connection;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;

import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.jdbc.datasource.AbstractDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class StatementTimeoutDataSourceTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final Connection connection = Mockito.mock(Connection.class);

	private long now;

	/** A pool whose only connection is in use until a time. */
	private final class BusyPool extends AbstractDataSource {

		private long busyUntil;

		@Override
		public Connection getConnection() throws SQLTransientConnectionException {
			if (StatementTimeoutDataSourceTests.this.now < this.busyUntil) {
				StatementTimeoutDataSourceTests.this.now += SECOND * 11 / 10;
				throw new SQLTransientConnectionException("Connection is not available, request timed out");
			}
			return StatementTimeoutDataSourceTests.this.connection;
		}

		@Override
		public Connection getConnection(String username, String password) throws SQLTransientConnectionException {
			return getConnection();
		}

	}

	private final BusyPool pool = new BusyPool();

	private final StatementTimeoutDataSource connections = new StatementTimeoutDataSource(this.pool, true,
			new DatabaseProperties(Duration.ofSeconds(2)), () -> this.now);

	/** A worker with a backlog may hold the only connection for long. */
	@Test
	void waitsForABusyConnectionDuringTheStart() throws Exception {
		this.pool.busyUntil = 9 * SECOND;
		assertThat(this.connections.getConnection()).isSameAs(this.connection);
	}

	@Test
	void givesUpABlockedPoolDuringTheStart() {
		this.pool.busyUntil = Long.MAX_VALUE;
		assertThatExceptionOfType(SQLTransientConnectionException.class).isThrownBy(this.connections::getConnection);
		assertThat(this.now).isBetween(10 * SECOND, 12 * SECOND);
	}

	@Test
	void waitsForABusyConnectionAfterAQuietTime() throws Exception {
		this.connections.started();
		this.now = 60 * SECOND;
		this.pool.busyUntil = this.now + SECOND;
		assertThat(this.connections.getConnection()).isSameAs(this.connection);
	}

	@Test
	void givesUpABlockedPoolAfterTheStart() {
		this.connections.started();
		this.pool.busyUntil = Long.MAX_VALUE;
		assertThatExceptionOfType(SQLTransientConnectionException.class).isThrownBy(this.connections::getConnection);
		assertThat(this.now).isBetween(2 * SECOND, 3 * SECOND);
	}

	/** JDBC has a limit of 24 days. */
	@Test
	void acceptsAnyTimeout() {
		assertThat(new DatabaseProperties(Duration.ofDays(365)).statementMillis()).isEqualTo(Integer.MAX_VALUE);
		assertThat(new DatabaseProperties(Duration.ofSeconds(2)).statementMillis()).isEqualTo(3_000);
	}

}
