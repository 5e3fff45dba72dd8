package io.parley.loadtest.study.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.Container;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.local.Shell;
import io.parley.loadtest.report.Jcmd;

/**
 * A STOMP broker on this machine, on a free port, without storage. Closing it, or the end
 * of this JVM, ends the broker.
 *
 * @param port for STOMP on 127.0.0.1
 * @param pid of the broker, which may have child processes; 0 when it is not visible
 * @param server ends the broker
 */
public record LocalBroker(Kind kind, int port, long pid, AutoCloseable server) implements AutoCloseable {

	private static final long START_MILLIS = 120_000;

	private static final int PING_MILLIS = 2000;

	/**
	 * The brokers that mode {@code relay} supports.
	 */
	public enum Kind {

		/** RabbitMQ with its STOMP plugin, in the container that Compose uses as well. */
		RABBITMQ("parley"),
		/** ActiveMQ Artemis, in a child JVM. It accepts JMS on the same port. */
		ARTEMIS("guest"),
		/** ActiveMQ Classic, in a child JVM. */
		ACTIVEMQ("guest");

		/** The name and the password of its user. */
		private final String login;

		Kind(String login) {
			this.login = login;
		}

		/**
		 * Returns the name that {@code chat.broker.relay.kind} uses.
		 */
		public String key() {
			return name().toLowerCase(Locale.ROOT);
		}

	}

	/**
	 * Starts a broker and waits until it speaks STOMP.
	 * @throws io.parley.loadtest.cli.LoadTestException when it does not start, with the
	 * reason; RabbitMQ needs Docker
	 */
	public static LocalBroker start(Kind kind) {
		int port = LocalServer.freePort();
		if (kind == Kind.RABBITMQ) {
			Container container = container(kind, port);
			return new LocalBroker(kind, port, container.pid(), container);
		}
		List<String> program = ChildProcess.jar(Checkout.brokers());
		ChildProcess process = new ChildProcess("broker " + kind.key(), ChildProcess.folder(),
				ChildProcess.java(ChildProcess.JVM, program, List.of(kind.key(), Integer.toString(port))),
				ChildProcess.Ending.INPUT);
		process.await(() -> speaksStomp(kind, port), new Jcmd(process.pid()));
		return new LocalBroker(kind, port, process.pid(), process);
	}

	private static Container container(Kind kind, int port) {
		Container container = Container.create("RABBITMQ_IMAGE", "--publish", "127.0.0.1:" + port + ":61613", "--env",
				"RABBITMQ_DEFAULT_USER=" + kind.login, "--env", "RABBITMQ_DEFAULT_PASS=" + kind.login);
		try {
			Path plugins = Files.createTempFile("parley-", ".plugins");
			Files.writeString(plugins, "[rabbitmq_stomp].\n");
			Shell.run("chmod", "a+r", plugins.toString());
			Shell.run("docker", "cp", plugins.toString(), container.id() + ":/etc/rabbitmq/enabled_plugins");
			Files.delete(plugins);
			container.start("broker rabbitmq");
			Shell.await(START_MILLIS, () -> speaksStomp(kind, port), "RabbitMQ did not become ready in its container:"
					+ " look at \"docker logs " + container.id() + "\".");
			return container;
		}
		catch (IOException ex) {
			container.close();
			throw new UncheckedIOException(ex);
		}
		catch (RuntimeException ex) {
			container.close();
			throw ex;
		}
	}

	/**
	 * Returns whether the broker speaks STOMP. Its port may be open before that.
	 */
	private static boolean speaksStomp(Kind kind, int port) {
		try (Socket socket = new Socket()) {
			socket.connect(new InetSocketAddress("127.0.0.1", port), PING_MILLIS);
			socket.setSoTimeout(PING_MILLIS);
			String connect = "CONNECT\naccept-version:1.2\nhost:/\nlogin:%1$s\npasscode:%1$s\n\n\0"
				.formatted(kind.login);
			socket.getOutputStream().write(connect.getBytes(StandardCharsets.UTF_8));
			byte[] answer = socket.getInputStream().readNBytes("CONNECTED".length());
			return new String(answer, StandardCharsets.UTF_8).equals("CONNECTED");
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Returns the settings of a chat-server that relays to this broker.
	 */
	public List<String> settings() {
		String prefix = "chat.broker.relay.";
		return List.of(prefix + "kind=" + this.kind.key(), prefix + "host=127.0.0.1", prefix + "port=" + this.port,
				prefix + "username=" + this.kind.login, prefix + "password=" + this.kind.login);
	}

	@Override
	public void close() throws Exception {
		this.server.close();
	}

}
