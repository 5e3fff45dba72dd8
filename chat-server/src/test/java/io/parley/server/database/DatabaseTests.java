package io.parley.server.database;

import java.sql.Connection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.parley.server.error.ChatException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mockito.Mockito;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

@ExtendWith(OutputCaptureExtension.class)
class DatabaseTests {

	/** Longer than the database may be silent. */
	private static final Duration LONGER_THAN_ALLOWED = Duration.ofSeconds(3);

	private static final DatabaseProperties PROPERTIES = new DatabaseProperties(Duration.ofSeconds(2));

	private final StatementTimeoutDataSource connections = new StatementTimeoutDataSource(
			new SingleConnectionDataSource(Mockito.mock(Connection.class), true), true, PROPERTIES, System::nanoTime);

	private final Database database = new Database(this.connections, PROPERTIES);

	private final CountDownLatch end = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.end.countDown();
		this.database.stop();
	}

	@Test
	void waitsWhileOthersTakeTurnsWithTheOnlyConnection() throws Exception {
		CompletableFuture<String> answer = query();
		await().during(LONGER_THAN_ALLOWED).until(() -> {
			this.connections.getConnection().close();
			return !answer.isDone();
		});
		this.end.countDown();
		assertThat(answer.get(5, TimeUnit.SECONDS)).isEqualTo("answer");
	}

	@Test
	void isUnavailableIfNobodyGetsTheOnlyConnection(CapturedOutput output) {
		assertThatExceptionOfType(ChatException.class).isThrownBy(() -> this.database.query(this::answer))
			.withMessageContaining("unavailable");
		assertThat(output).contains("The database does not respond", DatabaseTests.class.getName() + ".answer(");
	}

	private CompletableFuture<String> query() {
		CompletableFuture<String> answer = new CompletableFuture<>();
		Thread.ofVirtual().start(() -> {
			try {
				answer.complete(this.database.query(this::answer));
			}
			catch (RuntimeException ex) {
				answer.completeExceptionally(ex);
			}
		});
		return answer;
	}

	private String answer() {
		try {
			this.end.await();
			return "answer";
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
