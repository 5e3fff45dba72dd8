package io.parley.server.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import javax.sql.DataSource;

import io.parley.notification.NotificationWorker;
import io.parley.persistence.PersistenceWorker;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Limits how long statements may run, so that a hanging database does not block requests.
 * The workers in this process have no limit, because a batch may take long. During
 * startup no statement has a limit, because a migration may take long, and a thread waits
 * up to five timeouts for a connection, because a worker with a backlog may hold the only
 * one. Safe for use by many threads.
 */
final class StatementTimeoutDataSource extends DelegatingDataSource {

	/** Thread name prefixes of the workers. */
	private static final List<String> WORKER_THREAD_PREFIXES = List.of(PersistenceWorker.READER + "-",
			NotificationWorker.READER + "-", "push-");

	private final boolean single;

	private final int statementMillis;

	/**
	 * If the pool hands out no connection for this long, it is blocked rather than busy.
	 */
	private final Duration blockedAfter;

	private final Duration maxWait;

	private final LongSupplier nanoTime;

	private volatile boolean started;

	private volatile long lastConnectionAt;

	/**
	 * @param single whether the pool has only one connection, which a batch of a worker
	 * may hold for longer
	 */
	StatementTimeoutDataSource(DataSource pool, boolean single, DatabaseProperties properties, LongSupplier nanoTime) {
		super(pool);
		this.single = single;
		this.statementMillis = properties.statementMillis();
		this.blockedAfter = single ? properties.timeout() : properties.timeout().dividedBy(2);
		this.maxWait = properties.maxWait();
		this.nanoTime = nanoTime;
		this.lastConnectionAt = nanoTime.getAsLong();
	}

	/** Returns whether the pool has only one connection. */
	boolean isSingle() {
		return this.single;
	}

	/** Returns the value of the clock when the pool last handed out a connection. */
	long lastConnectionAt() {
		return this.lastConnectionAt;
	}

	/** Ends the startup: the limits apply from now on. */
	void started() {
		this.started = true;
	}

	@Override
	public Connection getConnection() throws SQLException {
		Connection connection = acquire();
		if (this.started && !isWorker(Thread.currentThread().getName())) {
			setTimeout(connection);
		}
		return connection;
	}

	/**
	 * Keeps waiting during startup, and as long as the pool hands out connections to
	 * other threads.
	 */
	private Connection acquire() throws SQLException {
		long start = this.nanoTime.getAsLong();
		while (true) {
			try {
				Connection connection = super.getConnection();
				this.lastConnectionAt = this.nanoTime.getAsLong();
				return connection;
			}
			catch (SQLTransientConnectionException ex) {
				long now = this.nanoTime.getAsLong();
				boolean blocked = this.started
						&& now - Math.max(start, this.lastConnectionAt) > this.blockedAfter.toNanos();
				if (blocked || now - start > this.maxWait.toNanos()) {
					throw ex;
				}
			}
		}
	}

	static boolean isWorker(String thread) {
		return WORKER_THREAD_PREFIXES.stream().anyMatch(thread::startsWith);
	}

	/** Sets the timeout; the pool resets it when the connection is returned. */
	private void setTimeout(Connection connection) throws SQLException {
		try {
			connection.setNetworkTimeout(Runnable::run, this.statementMillis);
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
