package io.parley.nginx;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;

import io.parley.packaged.PackagedServer;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.images.builder.Transferable;
import org.testcontainers.utility.MountableFile;

/**
 * Containers of a chat-server and of nginx in front of it, with the templates of this
 * folder.
 */
final class Containers {

	/** Exempts all addresses, so that only the total limits apply. */
	static final String ANYWHERE = "0.0.0.0/0";

	/**
	 * The networks that container engines choose from. The gateway of a container is in
	 * one of them.
	 */
	static final String PRIVATE = "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16";

	private static final String ECHO = """
			server {
				listen 8080;
				default_type text/plain;
				return 200 "from $http_x_forwarded_for, extensions [$http_sec_websocket_extensions], \
			upgrade [$http_upgrade], others [$http_forwarded$http_x_forwarded_host$http_x_forwarded_port]";
			}
			""";

	/** Answers as a chat-server does while it stops. */
	private static final String STOPPING = """
			server {
				listen 8080;
				default_type application/problem+json;
				add_header Retry-After 5 always;
				return 503 '{"status":503,"code":"server-busy","detail":"The server is starting or stopping."}';
			}
			""";

	private Containers() {
	}

	static GenericContainer<?> server(Network network) {
		return new GenericContainer<>(image("JRE_IMAGE")).withNetwork(network)
			.withNetworkAliases("chat-server")
			.withCopyFileToContainer(MountableFile.forHostPath(PackagedServer.get().folder()), "/app")
			.withEnv("CHAT_LIMITS_SESSIONS_PER_USER", "0")
			.withEnv("CHAT_SECURITY_REGISTRATION", "open")
			.withEnv("SERVER_ADDRESS", "0.0.0.0")
			.withCommand("java", "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar",
					"/app/chat-server.jar")
			.withExposedPorts(8080)
			.waitingFor(Wait.forHttp("/readyz").withStartupTimeout(Duration.ofMinutes(4)));
	}

	/**
	 * Returns an nginx in place of the server that responds with the received headers.
	 */
	static GenericContainer<?> echo(Network network) {
		return echo(network, "chat-server");
	}

	static GenericContainer<?> echo(Network network, String name) {
		return standIn(network, name, ECHO);
	}

	/** Returns an nginx in place of a server that is stopping. */
	static GenericContainer<?> stopping(Network network, String name) {
		return standIn(network, name, STOPPING);
	}

	private static GenericContainer<?> standIn(Network network, String name, String configuration) {
		return new GenericContainer<>(image("NGINX_IMAGE")).withNetwork(network)
			.withNetworkAliases(name)
			.withCopyToContainer(Transferable.of(configuration), "/etc/nginx/conf.d/default.conf")
			.waitingFor(Wait.forSuccessfulCommand("curl -s http://127.0.0.1:8080/"));
	}

	/**
	 * Returns nginx as in production. It has started when a server behind it responds.
	 */
	static GenericContainer<?> nginx(Network network, Map<String, String> numbers) {
		return new GenericContainer<>(image("NGINX_IMAGE")).withNetwork(network)
			.withCopyFileToContainer(MountableFile.forHostPath("templates"), "/etc/nginx/templates")
			.withCopyFileToContainer(MountableFile.forHostPath("15-derive-limits.envsh", 0755),
					"/docker-entrypoint.d/15-derive-limits.envsh")
			.withEnv("NGINX_ENVSUBST_OUTPUT_DIR", "/etc/nginx")
			.withEnv("NGINX_ENVSUBST_FILTER", "^CHAT_")
			.withEnv(numbers)
			.withExposedPorts(80)
			.waitingFor(Wait.forHttp("/"));
	}

	/**
	 * Returns the image configured in {@code .env}, so that tests run what Compose runs.
	 */
	private static String image(String name) {
		Properties settings = new Properties();
		try (Reader file = Files.newBufferedReader(Path.of("../.env"))) {
			settings.load(file);
		}
		catch (IOException ex) {
			throw new UncheckedIOException("The names of the images can't be read", ex);
		}
		return settings.getProperty(name);
	}

	/** Returns the address of a container, such as {@code localhost:32768}. */
	static String address(GenericContainer<?> container) {
		return container.getHost() + ":" + container.getFirstMappedPort();
	}

}
