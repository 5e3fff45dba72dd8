package io.parley.store;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.testcontainers.mysql.MySQLContainer;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * A MySQL server for all tests of a module, in a container that is removed when the JVM
 * ends. {@code -Dparley.test.mysql-image} selects another version. {@code ./chat test}
 * starts one server for all modules and passes its address in the environment variable
 * {@code PARLEY_TEST_MYSQL}, so a test must not change the state of the whole server.
 * Each JVM uses its own databases. Nothing is synced to disk.
 */
public final class MySqlServer {

	public static final String USERNAME = "root";

	public static final String PASSWORD = "parley";

	private static final @Nullable String IMAGE = System.getProperty("parley.test.mysql-image");

	/** The {@code host:port} of a server that was started elsewhere. */
	private static final @Nullable String HANDED_OVER = (IMAGE != null) ? null : System.getenv("PARLEY_TEST_MYSQL");

	private static final String OF_THIS_JVM = "_" + UUID.randomUUID().toString().substring(0, 8);

	private MySqlServer() {
	}

	/** Returns the JDBC URL of a database, which is created on first use. */
	public static String url(String database) {
		return urlAt(Running.ADDRESS, name(database));
	}

	/** Returns the name of that database on the server. */
	public static String name(String database) {
		return database + OF_THIS_JVM;
	}

	/** Returns the properties of an application that uses that database. */
	public static String[] properties(String database) {
		return new String[] { "spring.datasource.url=" + url(database), "spring.datasource.username=" + USERNAME,
				"spring.datasource.password=" + PASSWORD };
	}

	static boolean isHandedOver() {
		return HANDED_OVER != null;
	}

	private static String urlAt(String address, String database) {
		return "jdbc:mysql://" + address + "/" + database + "?createDatabaseIfNotExist=true";
	}

	private static String awaited(String address) {
		Awaitility.await()
			.atMost(Duration.ofMinutes(3))
			.ignoreExceptionsInstanceOf(SQLException.class)
			.until(() -> answers(address));
		return address;
	}

	private static boolean answers(String address) throws SQLException {
		try (Connection connection = DriverManager.getConnection(urlAt(address, "mysql"), USERNAME, PASSWORD)) {
			return connection.isValid(10);
		}
	}

	private static String started() {
		MySQLContainer container = new MySQLContainer((IMAGE != null) ? IMAGE : "mysql:9.7").withPassword(PASSWORD)
			.withTmpFs(Map.of("/var/lib/mysql", "rw"))
			.withCommand("--innodb-flush-log-at-trx-commit=0", "--skip-log-bin");
		container.start();
		return container.getHost() + ":" + container.getMappedPort(MySQLContainer.MYSQL_PORT);
	}

	/** Starts the server, or waits for it, on first access. */
	private static final class Running {

		static final String ADDRESS = (HANDED_OVER != null) ? awaited(HANDED_OVER) : started();

	}

	/** Replaces {@code jdbc:h2:mem:name} with the MySQL database of that name. */
	static class InsteadOfH2 implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			String url = context.getEnvironment().getRequiredProperty("spring.datasource.url");
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context,
					properties(url.substring(url.lastIndexOf(':') + 1)));
		}

	}

}
