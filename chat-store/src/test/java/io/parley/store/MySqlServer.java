package io.parley.store;

import org.testcontainers.mysql.MySQLContainer;

import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.test.context.support.TestPropertySourceUtils;

/**
 * One MySQL for all tests of a module, in a container that is removed when the JVM ends.
 * {@code -Dparley.test.mysql-image} chooses another version.
 */
public final class MySqlServer {

	public static final String USERNAME = "root";

	public static final String PASSWORD = "parley";

	private static final String IMAGE = System.getProperty("parley.test.mysql-image", "mysql:9.7");

	private MySqlServer() {
	}

	/** The address of a database, which is made when it is used first. */
	public static String url(String database) {
		MySQLContainer container = Running.CONTAINER;
		return "jdbc:mysql://" + container.getHost() + ":" + container.getMappedPort(MySQLContainer.MYSQL_PORT) + "/"
				+ database + "?createDatabaseIfNotExist=true";
	}

	/** The settings of an application that uses a database there. */
	public static String[] properties(String database) {
		return new String[] { "spring.datasource.url=" + url(database), "spring.datasource.username=" + USERNAME,
				"spring.datasource.password=" + PASSWORD };
	}

	/** Starts the server when somebody asks for it first. */
	private static final class Running {

		static final MySQLContainer CONTAINER = new MySQLContainer(IMAGE).withPassword(PASSWORD);

		static {
			CONTAINER.start();
		}

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
