package io.parley.jmeter;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.packaged.PackagedServer;
import org.awaitility.Awaitility;

/**
 * The packaged chat-server on free ports, with its data in a folder of the test.
 */
final class ServerProcess implements AutoCloseable {

	private final HttpClient client = HttpClient.newHttpClient();

	private final int port = freePort();

	private final Process process;

	ServerProcess(Path folder) throws IOException {
		List<String> command = new ArrayList<>(PackagedServer.get()
			.command(List.of("-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
					"--enable-native-access=ALL-UNNAMED")));
		command.addAll(List.of("--server.port=" + this.port, "--management.server.port=" + freePort(),
				"--chat.limits.sends-per-second=0", "--chat.security.registration=open"));
		this.process = new ProcessBuilder(command).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("server.log").toFile())
			.start();
		Runtime.getRuntime().addShutdownHook(new Thread(this.process::destroyForcibly));
		Awaitility.await("the server to be ready")
			.atMost(Duration.ofMinutes(3))
			.pollInterval(Duration.ofMillis(50))
			.failFast("the server ended while it started", () -> !this.process.isAlive())
			.until(this::isReady);
	}

	String url() {
		return "http://127.0.0.1:" + this.port;
	}

	private boolean isReady() throws InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url() + "/readyz"))
			.timeout(Duration.ofSeconds(5))
			.build();
		try {
			return this.client.send(request, BodyHandlers.discarding()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	@Override
	public void close() throws InterruptedException {
		this.client.close();
		this.process.destroy();
		if (!this.process.waitFor(60, TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
	}

}
