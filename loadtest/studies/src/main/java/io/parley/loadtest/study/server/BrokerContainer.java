package io.parley.loadtest.study.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.parley.loadtest.local.Container;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.local.Shell;

/**
 * RabbitMQ with its STOMP plugin, in the container that Compose uses as well.
 */
final class BrokerContainer implements LocalBroker {

	private static final String USER = "parley";

	private static final long START_TIMEOUT = 120_000;

	private final int port = LocalServer.freePort();

	private final Container container;

	private BrokerContainer() {
		this.container = Container.create("RABBITMQ_IMAGE", "--publish", "127.0.0.1:" + this.port + ":61613", "--env",
				"RABBITMQ_DEFAULT_USER=" + USER, "--env", "RABBITMQ_DEFAULT_PASS=" + USER);
	}

	/**
	 * Starts the broker and waits until it speaks STOMP.
	 * @throws io.parley.loadtest.cli.RefusedException when there is no Docker or no
	 * image, or when the broker does not become ready
	 */
	static LocalBroker start() {
		BrokerContainer broker = new BrokerContainer();
		try {
			broker.run();
			return broker;
		}
		catch (RuntimeException ex) {
			broker.close();
			throw ex;
		}
	}

	private void run() {
		try {
			Path plugins = Files.createTempFile("parley-", ".plugins");
			Files.writeString(plugins, "[rabbitmq_stomp].\n");
			Shell.run("chmod", "a+r", plugins.toString());
			Shell.run("docker", "cp", plugins.toString(), this.container.id() + ":/etc/rabbitmq/enabled_plugins");
			Files.delete(plugins);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.container.start("broker rabbitmq");
		Shell.await(START_TIMEOUT, () -> StompPing.answers(this.port, USER, USER),
				"RabbitMQ did not become ready in its container: look at \"docker logs " + this.container.id() + "\".");
	}

	@Override
	public List<String> settings() {
		return List.of("chat.broker.relay.kind=rabbitmq", "chat.broker.relay.host=127.0.0.1",
				"chat.broker.relay.port=" + this.port, "chat.broker.relay.username=" + USER,
				"chat.broker.relay.password=" + USER);
	}

	@Override
	public int port() {
		return this.port;
	}

	@Override
	public long pid() {
		return this.container.pid();
	}

	@Override
	public void close() {
		this.container.close();
	}

}
