package io.parley.server.database;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.parley.server.error.ChatException;
import io.parley.server.error.StoreFailures;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Runs the queries that live messages depend on, and fails fast when the database does
 * not respond. From then on, all queries are refused at once until a probe, repeated
 * every 250 ms, succeeds. Safe for use by many threads.
 */
@Component
public class Database {

	private static final Logger log = LoggerFactory.getLogger(Database.class);

	private static final long PROBE_INTERVAL_MILLIS = 250;

	private final DataSource connections;

	private final @Nullable StatementTimeoutDataSource pool;

	/** Without any response for this long, the database counts as unavailable. */
	private final Duration timeout;

	/**
	 * How long a query may wait while others are answered, or while workers of this
	 * process take turns with the only connection.
	 */
	private final Duration maxWait;

	private final AtomicBoolean unavailable = new AtomicBoolean();

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile long lastAnswerAt = System.nanoTime();

	Database(DataSource connections, DatabaseProperties properties) {
		this.connections = connections;
		this.timeout = properties.timeout();
		this.maxWait = properties.maxWait();
		this.pool = pool(connections);
	}

	private static @Nullable StatementTimeoutDataSource pool(DataSource connections) {
		try {
			return connections.isWrapperFor(StatementTimeoutDataSource.class)
					? connections.unwrap(StatementTimeoutDataSource.class) : null;
		}
		catch (SQLException ex) {
			return null;
		}
	}

	/**
	 * Runs a query on a thread of its own, outside any transaction of the caller. Waits
	 * for up to {@code chat.database.timeout}, or five times as long while the database
	 * works for others.
	 * @param query may still be running after this call has failed
	 * @throws ChatException {@code store-unavailable} if the database does not respond
	 */
	public <T> T query(Supplier<T> query) {
		if (this.unavailable.get()) {
			throw StoreFailures.unavailable();
		}
		CompletableFuture<T> answer = new CompletableFuture<>();
		// Named after its caller, for thread dumps.
		String caller = Thread.currentThread().getName();
		Thread thread = Thread.ofVirtual().name("database-" + caller).start(() -> run(query, answer));
		long start = System.nanoTime();
		while (true) {
			try {
				return recordAnswer(answer.get(this.timeout.toMillis(), TimeUnit.MILLISECONDS));
			}
			catch (TimeoutException ex) {
				long now = System.nanoTime();
				if (now - lastProgressAt() > this.timeout.toNanos() || now - start > this.maxWait.toNanos()) {
					// The log shows where the query waits.
					ex.setStackTrace(thread.getStackTrace());
					throw markUnavailable(ex);
				}
			}
			catch (ExecutionException ex) {
				throw toException(ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw StoreFailures.unavailable();
			}
		}
	}

	private static <T> void run(Supplier<T> query, CompletableFuture<T> answer) {
		try {
			answer.complete(query.get());
		}
		catch (Throwable ex) {
			answer.completeExceptionally(ex);
		}
	}

	/**
	 * Returns when the database last did something. A single connection that was handed
	 * out again has done its work, even if none of it was a query of this class.
	 */
	private long lastProgressAt() {
		StatementTimeoutDataSource pool = this.pool;
		return (pool != null && pool.isSingle()) ? Math.max(this.lastAnswerAt, pool.lastConnectionAt())
				: this.lastAnswerAt;
	}

	private <T> T recordAnswer(T value) {
		this.lastAnswerAt = System.nanoTime();
		return value;
	}

	private RuntimeException toException(ExecutionException failure) {
		Throwable cause = (failure.getCause() != null) ? failure.getCause() : failure;
		if (StoreFailures.isConnectionFailure(cause)) {
			return markUnavailable(cause);
		}
		return (cause instanceof RuntimeException known) ? known : new IllegalStateException(cause);
	}

	private ChatException markUnavailable(Throwable cause) {
		if (this.stopped.getCount() > 0 && this.unavailable.compareAndSet(false, true)) {
			log.warn("The database does not respond; live messages continue without it", cause);
			Thread.ofVirtual().name("database-probe").start(this::probeUntilAvailable);
		}
		return StoreFailures.unavailable();
	}

	private void probeUntilAvailable() {
		try {
			while (!isResponding() && !this.stopped.await(PROBE_INTERVAL_MILLIS, TimeUnit.MILLISECONDS)) {
				log.trace("The database does not respond yet");
			}
			recordAnswer(true);
			this.unavailable.set(false);
			log.info("The database responds again");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean isResponding() {
		try (Connection connection = this.connections.getConnection()) {
			return connection.isValid(1);
		}
		catch (SQLException ex) {
			return false;
		}
	}

	@PreDestroy
	void stop() {
		this.stopped.countDown();
	}

}
