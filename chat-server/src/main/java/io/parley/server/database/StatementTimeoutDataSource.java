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
 * Limits how long statements may run, so that a hanging database does not block requests.
 * The workers in this process have no limit, because a batch may take long. During
 * startup no limit applies, because a migration may take long. Safe for use by many
 * threads.
 */
final class StatementTimeoutDataSource extends DelegatingDataSource {

	private static final int STATEMENT_MILLIS = 3_000;

	/**
	 * If the pool hands out no connection for this long, it is blocked rather than busy.
	 */
	private static final Duration BLOCKED_AFTER = Duration.ofSeconds(1);

	private static final Duration MAX_WAIT = Duration.ofSeconds(10);

	/** Thread name prefixes of the workers. */
	private static final List<String> WORKER_THREAD_PREFIXES = List.of(PersistenceWorker.READER + "-",
			NotificationWorker.READER + "-", "push-");

	private volatile boolean timeoutEnabled;

	private volatile long lastConnectionAt = System.nanoTime();

	StatementTimeoutDataSource(DataSource pool) {
		super(pool);
	}

	/** Applies the timeout to all connections handed out from now on. */
	void enableTimeout() {
		this.timeoutEnabled = true;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = acquire();
		if (this.timeoutEnabled && !isWorker(Thread.currentThread().getName())) {
			setTimeout(connection);
		}
		return connection;
	}

	/** Keeps waiting as long as the pool hands out connections to other threads. */
	private Connection acquire() throws SQLException {
		long start = System.nanoTime();
		while (true) {
			try {
				Connection connection = super.getConnection();
				this.lastConnectionAt = System.nanoTime();
				return connection;
			}
			catch (SQLTransientConnectionException ex) {
				long now = System.nanoTime();
				if (now - this.lastConnectionAt > BLOCKED_AFTER.toNanos() || now - start > MAX_WAIT.toNanos()) {
					throw ex;
				}
			}
		}
	}

	static boolean isWorker(String thread) {
		return WORKER_THREAD_PREFIXES.stream().anyMatch(thread::startsWith);
	}

	/** Sets the timeout; the pool resets it when the connection is returned. */
	private static void setTimeout(Connection connection) throws SQLException {
		try {
			connection.setNetworkTimeout(Runnable::run, STATEMENT_MILLIS);
		}
		catch (SQLFeatureNotSupportedException ex) {
			// An embedded database has no network to time out.
		}
		catch (SQLException ex) {
			connection.close();
			throw ex;
		}
	}

}
