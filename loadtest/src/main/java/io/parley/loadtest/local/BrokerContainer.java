package io.parley.loadtest.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.HeapSource;
import io.parley.loadtest.report.ProcessSampler;

/** RabbitMQ with its STOMP plugin, in the container that Compose uses too. */
final class BrokerContainer implements LocalBroker {

	private static final String USER = "parley";

	private static final String IMAGE_LINE = "RABBITMQ_IMAGE=";

	private static final long LONGEST_START = 120_000;

	private final Thread cleaner = new Thread(this::end);

	private final int port = LocalServer.freePort();

	private final String id;

	private volatile Runnable unwatch = () -> {
	};

	private BrokerContainer(String image) {
		this.id = Shell.run("docker", "create", "--label", "parley.loadtest", "--publish",
				"127.0.0.1:" + this.port + ":61613", "--env", "RABBITMQ_DEFAULT_USER=" + USER, "--env",
				"RABBITMQ_DEFAULT_PASS=" + USER, image);
		Runtime.getRuntime().addShutdownHook(this.cleaner);
	}

	/**
	 * Starts it.
	 * @throws RefusedException when there is no Docker, or no image
	 */
	static LocalBroker start() {
		if (!Shell.succeeds("docker", "info")) {
			throw new RefusedException("no Docker");
		}
		String image = image();
		if (!Shell.succeeds("docker", "image", "inspect", image)) {
			System.out.println("Getting the image " + image);
			Shell.run(Checkout.home().resolve("deploy/local-images.sh").toString(), image);
		}
		BrokerContainer broker = new BrokerContainer(image);
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
			Shell.run("docker", "cp", plugins.toString(), this.id + ":/etc/rabbitmq/enabled_plugins");
			Files.delete(plugins);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Shell.run("docker", "start", this.id);
		Shell.await(LONGEST_START, () -> StompPing.answers(this.port, USER, USER),
				"RabbitMQ did not become ready in its container: look at \"docker logs " + this.id + "\".");
		long pid = pid();
		if (pid > 0) {
			this.unwatch = ProcessSampler.started("broker rabbitmq", pid, HeapSource.NONE);
		}
	}

	private static String image() {
		try {
			return Files.readAllLines(Checkout.home().resolve(".env"))
				.stream()
				.filter((line) -> line.startsWith(IMAGE_LINE))
				.map((line) -> line.substring(IMAGE_LINE.length()))
				.findFirst()
				.orElseThrow(() -> new RefusedException("The file .env of the checkout names no " + IMAGE_LINE));
		}
		catch (IOException ex) {
			throw new RefusedException("The file .env of the checkout cannot be read: " + ex.getMessage());
		}
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

	/** On Linux a process of the container is one of the host. */
	@Override
	public long pid() {
		long pid = Long.parseLong(Shell.run("docker", "inspect", "--format", "{{.State.Pid}}", this.id));
		return ProcessHandle.of(pid).isPresent() ? pid : 0;
	}

	@Override
	public void close() {
		Cleaners.remove(this.cleaner);
		end();
	}

	private void end() {
		this.unwatch.run();
		Shell.run("docker", "rm", "--force", "--volumes", this.id);
	}

}
