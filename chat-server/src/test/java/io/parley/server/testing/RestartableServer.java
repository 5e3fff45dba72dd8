package io.parley.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.parley.log.SigningKey;
import io.parley.server.ChatServerApplication;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.ServerPortInfoApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/** A server in mode {@code simple} that keeps its data when it is stopped. */
public final class RestartableServer implements AutoCloseable {

	private final Path directory;

	private final List<String> settings;

	private ConfigurableApplicationContext context;

	/**
	 * Starts the server.
	 * @param settings {@code key=value}
	 */
	public RestartableServer(String... settings) {
		this.directory = newDirectory();
		SigningKey.writeTo(this.directory.resolve("keys"));
		this.settings = new ArrayList<>(List.of("chat.log.embedded.directory=" + this.directory.resolve("log"),
				"chat.security.jwt.key-directory=" + this.directory.resolve("keys"),
				"spring.datasource.url=jdbc:h2:file:" + this.directory.resolve("db/parley")
						+ ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE",
				"server.port=0", "management.server.port=0", "chat.security.registration=open",
				"chat.limits.sends-per-second=0", "chat.limits.reactions-per-second=0",
				"chat.limits.drafts-per-second=0", "chat.limits.rooms-per-minute=0",
				"chat.limits.subscribes-per-second=0", "chat.limits.repeated-invitations-per-minute=0",
				"spring.jmx.enabled=false"));
		this.settings.addAll(List.of(settings));
		this.context = start();
	}

	private static Path newDirectory() {
		try {
			return Files.createTempDirectory("parley-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private ConfigurableApplicationContext start() {
		return new SpringApplicationBuilder(ChatServerApplication.class, QuickPasswords.class, ChatServer.class,
				CountedStatements.class)
			.initializers(new ServerPortInfoApplicationContextInitializer())
			.registerShutdownHook(false)
			.run(this.settings.stream().map((setting) -> "--" + setting).toArray(String[]::new));
	}

	/** Stops the server in order, and starts it again. */
	public void restart() {
		this.context.close();
		this.context = start();
	}

	public ChatServer server() {
		return this.context.getBean(ChatServer.class);
	}

	public CountedStatements statements() {
		return this.context.getBean(CountedStatements.class);
	}

	public <T> T bean(Class<T> type) {
		return this.context.getBean(type);
	}

	@Override
	public void close() {
		this.context.close();
		try {
			FileSystemUtils.deleteRecursively(this.directory);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
