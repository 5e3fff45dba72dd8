package io.parley.server.error;

import java.sql.SQLException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The errors for clients when the database chooses the victim of a deadlock. */
class BusyStoreTests {

	private static final String URL = "jdbc:h2:mem:busy;LOCK_TIMEOUT=30000";

	private final SingleConnectionDataSource one = new SingleConnectionDataSource(URL, true);

	private final SingleConnectionDataSource other = new SingleConnectionDataSource(URL, true);

	private Exception deadlock = new IllegalStateException("no deadlock");

	@BeforeEach
	void provokeADeadlock() throws SQLException {
		JdbcTemplate jdbc = new JdbcTemplate(this.one);
		jdbc.execute("CREATE TABLE thing (id INT PRIMARY KEY, number INT)");
		jdbc.update("INSERT INTO thing VALUES (1, 0), (2, 0)");
		this.one.getConnection().setAutoCommit(false);
		this.other.getConnection().setAutoCommit(false);
		update(this.one, 1);
		update(this.other, 2);
		CompletableFuture<@Nullable Exception> waiting = CompletableFuture.supplyAsync(() -> failure(this.other, 1));
		Exception here = failure(this.one, 2);
		this.deadlock = Stream.of(here, waiting.join()).filter(Objects::nonNull).findFirst().orElseThrow();
	}

	private static void update(SingleConnectionDataSource connection, int id) {
		new JdbcTemplate(connection).update("UPDATE thing SET number = number + 1 WHERE id = ?", id);
	}

	/** Ends the transaction if it fails, so that the other one goes on. */
	private static @Nullable Exception failure(SingleConnectionDataSource connection, int id) {
		try {
			update(connection, id);
			return null;
		}
		catch (ConcurrencyFailureException ex) {
			connection.destroy();
			return ex;
		}
	}

	@AfterEach
	void close() {
		this.one.destroy();
		this.other.destroy();
	}

	@Test
	void aRequestIsAnsweredWithServerBusy() {
		ResponseEntity<ProblemDetail> answer = new ChatExceptionHandler(new Refusals(new SimpleMeterRegistry()))
			.handleOtherException(this.deadlock);
		assertThat(answer.getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
		assertThat(answer.getHeaders().getFirst(HttpHeaders.RETRY_AFTER)).isEqualTo("1");
		assertThat(answer.getBody()).isNotNull()
			.satisfies((problem) -> assertThat(problem.getProperties()).containsEntry("code", "server-busy"));
	}

	@Test
	void aFrameIsAnsweredWithServerBusy() {
		assertThat(ExceptionTranslator.ofFrame(this.deadlock, "SEND").errorCode()).isEqualTo(ErrorCode.SERVER_BUSY);
		assertThat(ExceptionTranslator.ofMessage(new CompletionException(this.deadlock)).errorCode())
			.isEqualTo(ErrorCode.SERVER_BUSY);
		assertThat(ExceptionTranslator.ofLastFrame(new IllegalStateException(this.deadlock)).errorCode())
			.isEqualTo(ErrorCode.SERVER_BUSY);
	}

}
