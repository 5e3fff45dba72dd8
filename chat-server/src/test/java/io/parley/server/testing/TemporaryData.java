package io.parley.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.parley.log.SigningKey;
import io.parley.store.MySqlServer;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/** Gives each server its own directory, which is deleted when the server has stopped. */
public class TemporaryData implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	/** A property that selects MySQL instead of a database file. */
	static final String ON_MYSQL = "parley.test.on-mysql";

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		Path directory = newDirectory();
		SigningKey.writeTo(directory.resolve("keys"));
		TestPropertyValues
			.of("chat.log.embedded.directory=" + directory.resolve("log"),
					"chat.security.jwt.key-directory=" + directory.resolve("keys"), "management.server.port=0",
					"chat.history.replay=" + replay(context), "chat.database.timeout=" + databaseTimeout(context),
					"chat.security.registration=" + registration(context))
			.and(backend(context))
			.and(database(context, directory))
			.applyTo(context);
		// Beans are destroyed in reverse order of registration, so the log is closed
		// before.
		((DefaultListableBeanFactory) context.getBeanFactory()).registerDisposableBean("temporaryData",
				() -> FileSystemUtils.deleteRecursively(directory));
	}

	private static String[] database(ConfigurableApplicationContext context, Path directory) {
		return context.getEnvironment().containsProperty(ON_MYSQL) ? MySqlServer.properties("server")
				: new String[] { "spring.datasource.url=jdbc:h2:file:" + directory.resolve("db/parley")
						+ ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE" };
	}

	/** Returns the settings of the backend, unless the test configures its own broker. */
	private static String[] backend(ConfigurableApplicationContext context) {
		return context.getEnvironment().containsProperty("chat.broker.relay.host") ? new String[0]
				: Backends.settings().toArray(String[]::new);
	}

	/** Returns a low replay limit, so that a client can fall too far behind. */
	private static String replay(ConfigurableApplicationContext context) {
		return context.getEnvironment().getProperty("chat.history.replay", "100");
	}

	/**
	 * Returns a time that a busy machine does not reach, unless the test is about
	 * databases that do not respond.
	 */
	private static String databaseTimeout(ConfigurableApplicationContext context) {
		return context.getEnvironment().getProperty("chat.database.timeout", "10s");
	}

	/** Lets tests register their users, unless the test configures it. */
	private static String registration(ConfigurableApplicationContext context) {
		return context.getEnvironment().getProperty("chat.security.registration", "open");
	}

	private static Path newDirectory() {
		try {
			return Files.createTempDirectory("parley-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
