package io.parley.loadtest;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.local.ChildProcess;
import io.parley.packaged.PackagedServer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * The packaged server with an H2 file in a folder, which is kept when it stops.
 */
final class RestartableServer implements AutoCloseable {

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	/** A start takes 3 s on an idle machine, and took 3 minutes at a load of 23. */
	private static final Duration START = Duration.ofMinutes(10);

	private final Path folder;

	private final int port = ChildProcess.freePort();

	private final int managementPort = ChildProcess.freePort();

	private @Nullable Process process;

	RestartableServer(Path folder) throws IOException {
		this.folder = Files.createDirectories(folder);
	}

	URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	URI management() {
		return URI.create("http://127.0.0.1:" + this.managementPort);
	}

	/**
	 * Returns the URL of the database, for other programs.
	 */
	String database() {
		return "jdbc:h2:file:" + this.folder.resolve("db");
	}

	/**
	 * Starts the server and waits until it is ready.
	 */
	void start() throws IOException {
		List<String> command = new ArrayList<>(PackagedServer.get()
			.command(List.of("-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
					"--enable-native-access=ALL-UNNAMED", "-Xlog:disable")));
		command.addAll(List.of("--server.port=" + this.port, "--management.server.port=" + this.managementPort,
				"--chat.broker.mode=bus", "--chat.security.registration=open", "--chat.limits.rooms-per-minute=0",
				"--chat.log.embedded.directory=" + this.folder.resolve("log"),
				"--chat.security.jwt.key-directory=" + this.folder.resolve("keys"),
				"--spring.datasource.url=" + database() + ";WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"));
		Process started = new ProcessBuilder(command).directory(this.folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.folder.resolve("server.log").toFile()))
			.start();
		this.process = started;
		Awaitility.await("the server to be ready")
			.atMost(START)
			.failFast("the server ended while it started", () -> !started.isAlive())
			.until(this::isReady);
	}

	private boolean isReady() throws InterruptedException {
		try {
			return HTTP.send(HttpRequest.newBuilder(url().resolve("/readyz")).build(), BodyHandlers.discarding())
				.statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	String log() throws IOException {
		return Files.readString(this.folder.resolve("server.log"));
	}

	/**
	 * Stops the server in order.
	 */
	void stop() throws InterruptedException {
		Process running = this.process;
		if (running != null) {
			running.destroy();
			if (!running.waitFor(1, TimeUnit.MINUTES)) {
				running.destroyForcibly().waitFor();
				throw new AssertionError("The server does not stop.");
			}
		}
	}

	@Override
	public void close() {
		if (this.process != null) {
			this.process.destroyForcibly().onExit().join();
		}
	}

}
