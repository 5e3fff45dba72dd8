package io.parley.packaged;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A short life of the server, in which the JVM learns what a start needs. */
final class TrainingRun {

	private static final Duration LONGEST = Duration.ofMinutes(4);

	private static final Duration PAUSE = Duration.ofMillis(100);

	private final long end = System.nanoTime() + LONGEST.toNanos();

	private final Process process;

	private final URI url;

	private TrainingRun(Process process, URI url) {
		this.process = process;
		this.url = url;
	}

	/**
	 * Starts the server, waits until it is ready, signs in, and ends it in order.
	 * @throws IOException when it ends by itself or does not become ready
	 */
	static void run(Path folder, List<String> command) throws IOException, InterruptedException {
		int port = freePort();
		List<String> all = new ArrayList<>(command);
		all.addAll(List.of("--spring.profiles.active=demo", "--server.port=" + port,
				"--management.server.port=" + freePort()));
		Process process = new ProcessBuilder(all).directory(folder.toFile())
			.redirectErrorStream(true)
			.redirectOutput(folder.resolve("server.log").toFile())
			.start();
		Thread cleaner = new Thread(process::destroyForcibly);
		Runtime.getRuntime().addShutdownHook(cleaner);
		try {
			new TrainingRun(process, URI.create("http://127.0.0.1:" + port)).complete();
		}
		finally {
			process.destroyForcibly().waitFor();
			Runtime.getRuntime().removeShutdownHook(cleaner);
		}
	}

	private void complete() throws IOException, InterruptedException {
		try (HttpClient http = HttpClient.newHttpClient()) {
			while (!isReady(http)) {
				check(this.process.isAlive() && System.nanoTime() - this.end < 0, "does not become ready");
				Thread.sleep(PAUSE);
			}
			HttpResponse<String> answer = http.send(HttpRequest.newBuilder(this.url.resolve("/api/auth/login"))
				.header("Content-Type", "application/json")
				.POST(BodyPublishers.ofString("{\"username\":\"alice\",\"password\":\"demo\"}"))
				.build(), BodyHandlers.ofString());
			check(answer.statusCode() == 200, "lets nobody in");
		}
		this.process.destroy();
		// The JVM writes the cache after the end of the program.
		check(this.process.waitFor(LONGEST.toSeconds(), TimeUnit.SECONDS), "does not end");
	}

	private static void check(boolean good, String problem) throws IOException {
		if (!good) {
			throw new IOException("The server " + problem);
		}
	}

	private boolean isReady(HttpClient http) throws InterruptedException {
		try {
			return http
				.send(HttpRequest.newBuilder(this.url.resolve("/readyz")).timeout(Duration.ofSeconds(5)).build(),
						BodyHandlers.discarding())
				.statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

}
