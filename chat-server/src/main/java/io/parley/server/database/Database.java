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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Asks the database what live messages need to know, and gives up soon when it does not
 * answer. From then on all questions are refused at once, until a look every quarter of a
 * second finds that it answers again. Safe for use by many threads.
 */
@Component
public class Database {

	private static final Logger log = LoggerFactory.getLogger(Database.class);

	/** Without any answer for so long, the database is away. */
	private static final Duration SILENCE = Duration.ofSeconds(2);

	/** So long a question waits while others are answered. */
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

	private static final long LOOK_MILLIS = 250;

	private final DataSource connections;

	private final AtomicBoolean away = new AtomicBoolean();

	private final CountDownLatch stopped = new CountDownLatch(1);

	private volatile long answeredAt = System.nanoTime();

	public Database(DataSource connections) {
		this.connections = connections;
	}

	/**
	 * Asks a question on a thread of its own, outside of any transaction of the caller.
	 * Waits for 2 s at the most, or for 10 s while the database answers others.
	 * @param question may go on after this call has given up
	 * @throws ChatException {@code store-unavailable} when the database does not answer
	 */
	public <T> T ask(Supplier<T> question) {
		if (this.away.get()) {
			throw StoreFailures.unavailable();
		}
		CompletableFuture<T> answer = new CompletableFuture<>();
		Thread.ofVirtual().name("database").start(() -> answer(question, answer));
		long start = System.nanoTime();
		while (true) {
			try {
				return answered(answer.get(SILENCE.toMillis(), TimeUnit.MILLISECONDS));
			}
			catch (TimeoutException ex) {
				long now = System.nanoTime();
				if (now - this.answeredAt > SILENCE.toNanos() || now - start > LONGEST_WAIT.toNanos()) {
					throw away(ex);
				}
			}
			catch (ExecutionException ex) {
				throw failed(ex);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
				throw StoreFailures.unavailable();
			}
		}
	}

	private static <T> void answer(Supplier<T> question, CompletableFuture<T> answer) {
		try {
			answer.complete(question.get());
		}
		catch (Throwable ex) {
			answer.completeExceptionally(ex);
		}
	}

	private <T> T answered(T value) {
		this.answeredAt = System.nanoTime();
		return value;
	}

	private RuntimeException failed(ExecutionException failure) {
		Throwable cause = (failure.getCause() != null) ? failure.getCause() : failure;
		if (StoreFailures.isAway(cause)) {
			return away(cause);
		}
		return (cause instanceof RuntimeException known) ? known : new IllegalStateException(cause);
	}

	private ChatException away(Throwable cause) {
		if (this.stopped.getCount() > 0 && this.away.compareAndSet(false, true)) {
			log.warn("The database does not answer; live messages go on without it", cause);
			Thread.ofVirtual().name("database-look").start(this::lookUntilItAnswers);
		}
		return StoreFailures.unavailable();
	}

	private void lookUntilItAnswers() {
		try {
			while (!answers() && !this.stopped.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
				log.trace("The database does not answer yet");
			}
			answered(true);
			this.away.set(false);
			log.info("The database is asked again");
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private boolean answers() {
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
