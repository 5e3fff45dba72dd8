package io.parley.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/** Gives each server a directory of its own, which goes when the server has stopped. */
public class TemporaryData implements ApplicationContextInitializer<ConfigurableApplicationContext> {

	@Override
	public void initialize(ConfigurableApplicationContext context) {
		Path directory = newDirectory();
		TestPropertyValues
			.of("chat.log.embedded.directory=" + directory.resolve("log"),
					"chat.security.jwt.key-directory=" + directory.resolve("keys"),
					"spring.datasource.url=jdbc:h2:file:" + directory.resolve("db/parley")
							+ ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
					"management.server.port=0", "chat.history.replay=" + replay(context))
			.and(backend(context))
			.applyTo(context);
		// What is registered first is destroyed last: by then the log is closed.
		((DefaultListableBeanFactory) context.getBeanFactory()).registerDisposableBean("temporaryData",
				() -> FileSystemUtils.deleteRecursively(directory));
	}

	/** Unless the test has one of its own. */
	private static String[] backend(ConfigurableApplicationContext context) {
		return context.getEnvironment().containsProperty("chat.broker.relay.host") ? new String[0]
				: Backends.settings().toArray(String[]::new);
	}

	/** Small, so that a client can fall too far behind. */
	private static String replay(ConfigurableApplicationContext context) {
		return context.getEnvironment().getProperty("chat.history.replay", "100");
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
