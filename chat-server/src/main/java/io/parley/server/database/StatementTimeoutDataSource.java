package io.parley.server.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;

import javax.sql.DataSource;

import io.parley.notification.NotificationWorker;
import io.parley.persistence.PersistenceWorker;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Connections whose statements are given up soon, so that a database that stands still
 * holds no request. Those of the workers in this process stay patient, because a batch
 * may take long. While the server starts, all are, because a migration may.
 */
final class StatementTimeoutDataSource extends DelegatingDataSource {

	private static final int STATEMENT_MILLIS = 3_000;

	/** A pool that gives out no connection for so long is blocked, and not busy. */
	private static final Duration BLOCKED = Duration.ofSeconds(1);

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	/** How the threads of the workers are named. */
	private static final List<String> WORKERS = List.of(PersistenceWorker.READER + "-", NotificationWorker.READER + "-",
			"push-");

	private volatile boolean started;

	private volatile long givenOutAt = System.nanoTime();

	StatementTimeoutDataSource(DataSource pool) {
		super(pool);
	}

	/** From now on statements are given up. */
	void started() {
		this.started = true;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = take();
		if (this.started && !isWorker(Thread.currentThread().getName())) {
			limit(connection);
		}
		return connection;
	}

	/** Waits on while the others who wait get their turn. */
	private Connection take() throws SQLException {
		long start = System.nanoTime();
		while (true) {
			try {
				Connection connection = super.getConnection();
				this.givenOutAt = System.nanoTime();
				return connection;
			}
			catch (SQLTransientConnectionException ex) {
				long now = System.nanoTime();
				if (now - this.givenOutAt > BLOCKED.toNanos() || now - start > LONGEST_WAIT.toNanos()) {
					throw ex;
				}
			}
		}
	}

	static boolean isWorker(String thread) {
		return WORKERS.stream().anyMatch(thread::startsWith);
	}

	/** The pool takes the limit away when it gets the connection back. */
	private static void limit(Connection connection) throws SQLException {
		try {
			connection.setNetworkTimeout(Runnable::run, STATEMENT_MILLIS);
		}
		catch (SQLFeatureNotSupportedException ex) {
			// A database in this process has no network between.
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

}
