package io.parley.server.testing;

import java.sql.Connection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.zaxxer.hikari.HikariDataSource;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;

/** Tests the database that does not respond: it behaves as the MySQL driver does. */
class StillDatabaseTests {

	private final StillDatabase database = new StillDatabase();

	@Test
	void aConnectionIsReturnedWhileTheDatabaseDoesNotRespond() throws Exception {
		try (HikariDataSource pool = new HikariDataSource()) {
			pool.setJdbcUrl("jdbc:h2:mem:still");
			pool.setUsername("sa");
			this.database.postProcessBeforeInitialization(pool, "dataSource");
			Connection connection = pool.getConnection();
			connection.setNetworkTimeout(Runnable::run, 2_000);
			this.database.stall();
			CompletableFuture<Void> returned = CompletableFuture.runAsync(() -> close(connection));
			try {
				assertThatCode(() -> returned.get(10, TimeUnit.SECONDS)).doesNotThrowAnyException();
			}
			finally {
				this.database.resume();
			}
		}
	}

	private static void close(Connection connection) {
		try {
			connection.close();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
