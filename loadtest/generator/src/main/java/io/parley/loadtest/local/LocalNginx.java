package io.parley.loadtest.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.Objects;

import io.parley.loadtest.cli.LoadTestException;

/**
 * The nginx of Compose in front of one server on this machine, with the configuration of
 * this checkout, on a free port. Closing it, or the end of this JVM, ends nginx.
 */
public final class LocalNginx implements AutoCloseable {

	private static final long START_TIMEOUT = 30_000;

	private final int port = ChildProcess.freePort();

	private final Container container;

	private LocalNginx(Path module, URI server) {
		// An option --env without a value passes the value of this JVM's environment, if
		// there is one. All users of a level start within a second, so nginx must not
		// limit upgrades here.
		String upgrades = Objects.requireNonNullElse(System.getenv("CHAT_UPGRADES_PER_SECOND"), "100000");
		this.container = Container.create("NGINX_IMAGE", "--network", "host", "--ulimit", "nofile=20000", "--env",
				"CHAT_LISTEN=127.0.0.1:" + this.port, "--env", "CHAT_SERVERS=" + server.getAuthority(), "--env",
				"CHAT_UPGRADES_PER_SECOND=" + upgrades, "--env", "CHAT_MAX_CONNECTIONS", "--env",
				"CHAT_MAX_CONNECTIONS_PER_ADDRESS", "--env", "NGINX_ENVSUBST_OUTPUT_DIR=/etc/nginx", "--env",
				"NGINX_ENVSUBST_FILTER=^CHAT_", "--volume", module.resolve("templates") + ":/etc/nginx/templates:ro",
				"--volume",
				module.resolve("15-derive-limits.envsh") + ":/docker-entrypoint.d/15-derive-limits.envsh:ro");
	}

	/**
	 * Starts nginx and waits until it listens.
	 * @param server the server to forward to
	 * @throws LoadTestException when there is no Docker, or nginx does not start
	 */
	public static LocalNginx start(URI server) {
		LocalNginx nginx = new LocalNginx(Checkout.home().resolve("nginx"), server);
		try {
			nginx.container.start("nginx");
			Shell.await(START_TIMEOUT, () -> LocalServer.listens(nginx.port),
					"nginx did not start in its container. The container shares the"
							+ " network of this machine, so Docker must run on this machine.");
			return nginx;
		}
		catch (RuntimeException ex) {
			nginx.close();
			throw ex;
		}
	}

	/**
	 * Checks that Docker is available, which is quicker than a failed start.
	 * @throws LoadTestException when it is not
	 */
	public static void requireDocker() {
		try {
			Container.requireDocker();
		}
		catch (LoadTestException ex) {
			throw new LoadTestException(
					"--through nginx runs nginx in a container, but Docker does not answer: start Docker"
							+ " and repeat the command.");
		}
	}

	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	@Override
	public void close() {
		this.container.close();
	}

}
