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
 * One MySQL for all tests of a module, in a container that is removed when the JVM ends.
 * {@code -Dparley.test.mysql-image} chooses another version. {@code ./chat test} hands
 * one over to all modules, in the environment variable {@code PARLEY_TEST_MYSQL}: so a
 * test must leave alone what concerns the whole server. Each JVM has databases of its
 * own. Nothing is synced to the disk.
 */
public final class MySqlServer {

	public static final String USERNAME = "root";

	public static final String PASSWORD = "parley";

	private static final @Nullable String IMAGE = System.getProperty("parley.test.mysql-image");

	/** {@code host:port}. */
	private static final @Nullable String HANDED_OVER = (IMAGE == null) ? System.getenv("PARLEY_TEST_MYSQL") : null;

	private static final String OF_THIS_JVM = "_" + UUID.randomUUID().toString().substring(0, 8);

	private MySqlServer() {
	}

	/** The address of a database, which is made when it is used first. */
	public static String url(String database) {
		return urlAt(Running.ADDRESS, name(database));
	}

	/** What the server calls that database. */
	public static String name(String database) {
		return database + OF_THIS_JVM;
	}

	/** The settings of an application that uses a database there. */
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

	/** Starts the server, or waits for it, when somebody asks for it first. */
	private static final class Running {

		static final String ADDRESS = (HANDED_OVER != null) ? awaited(HANDED_OVER) : started();

	}

	/** Replaces {@code jdbc:h2:mem:name} by the database of that name. */
	static class InsteadOfH2 implements ApplicationContextInitializer<ConfigurableApplicationContext> {

		@Override
		public void initialize(ConfigurableApplicationContext context) {
			String url = context.getEnvironment().getRequiredProperty("spring.datasource.url");
			TestPropertySourceUtils.addInlinedPropertiesToEnvironment(context,
					properties(url.substring(url.lastIndexOf(':') + 1)));
		}

	}

}
