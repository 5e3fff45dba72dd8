package io.parley.packaged;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;

/**
 * The packaged server as a process on free ports. Its data and its output, {@code
 * server.log}, are in a directory of the test; after a kill it starts again on the same
 * data. Not safe for use by several threads.
 */
public final class ServerProcess implements AutoCloseable {

	/** A start takes 3 s on an idle machine, and took 3 minutes at a load of 23. */
	private static final Duration START_LIMIT = Duration.ofMinutes(10);

	private static final int FIRST_PORT = 20_000;

	private static final int LAST_PORT = 30_000;

	private static final Duration PAUSE = Duration.ofMillis(50);

	private final HttpClient client = HttpClient.newHttpClient();

	private final Path directory;

	private final List<String> settings;

	private final int port = freePort();

	private final int managementPort = freePort();

	private @Nullable Process process;

	/**
	 * Prepares a server, which {@link #start} starts.
	 * @param settings arguments of the server besides its ports
	 */
	public ServerProcess(Path directory, String... settings) {
		this.directory = directory;
		this.settings = List.of(settings);
	}

	/**
	 * Starts the server and waits until it is ready.
	 * @throws IllegalStateException if it ends first, or is not ready within 10 minutes
	 */
	public ServerProcess start() throws IOException, InterruptedException {
		List<String> command = new ArrayList<>(PackagedServer.get().command(PackagedServer.QUICK_OPTIONS));
		command.addAll(List.of("--server.port=" + this.port, "--management.server.port=" + this.managementPort));
		command.addAll(this.settings);
		Process started = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("server.log").toFile()))
			.start();
		this.process = started;
		// An aborted test run leaves no server behind.
		Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
		Instant end = Instant.now().plus(START_LIMIT);
		while (!isReady()) {
			if (!started.isAlive() || Instant.now().isAfter(end)) {
				throw new IllegalStateException("The server is not ready; see server.log in " + this.directory);
			}
			Thread.sleep(PAUSE);
		}
		return this;
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

	public int port() {
		return this.port;
	}

	public String url() {
		return "http://127.0.0.1:" + this.port;
	}

	/** Sends SIGKILL, and waits for the end. */
	public void kill() throws InterruptedException {
		if (this.process != null) {
			this.process.destroyForcibly().waitFor();
		}
	}

	/** Sends SIGTERM, and SIGKILL after a minute. */
	@Override
	public void close() throws InterruptedException {
		this.client.close();
		if (this.process != null) {
			this.process.destroy();
			if (!this.process.waitFor(60, TimeUnit.SECONDS)) {
				kill();
			}
		}
	}

	/**
	 * Below the ephemeral range: no connection takes the port while the server is down.
	 */
	private static int freePort() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
			try (ServerSocket socket = new ServerSocket(port)) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				// In use: try another.
			}
		}
	}

}
