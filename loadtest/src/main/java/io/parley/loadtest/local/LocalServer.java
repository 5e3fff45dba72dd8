package io.parley.loadtest.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.parley.loadtest.cli.RefusedException;

/**
 * A chat-server of this checkout in a process of its own, on free ports, with its data in
 * a temporary folder. Closing it ends the process and deletes the folder; so does the end
 * of this JVM.
 */
public final class LocalServer implements AutoCloseable {

	private static final Duration LONGEST_START = Duration.ofSeconds(120);

	private static final Duration LONGEST_STOP = Duration.ofSeconds(50);

	private static final int LINES_OF_LOG = 15;

	private final Thread cleaner = new Thread(this::end);

	private final Path folder;

	private final Process process;

	private final int port;

	private final int managementPort;

	private LocalServer(Path folder, Path jar, List<String> jvmOptions, List<String> settings) {
		this.folder = folder;
		this.port = freePort();
		this.managementPort = freePort();
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-Xmx512m", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders",
				"--enable-native-access=ALL-UNNAMED"));
		command.addAll(jvmOptions);
		command.addAll(List.of("-jar", jar.toAbsolutePath().toString()));
		// A setting that is there twice would be a list of both.
		Map<String, String> all = new LinkedHashMap<>(Map.of("server.port", Integer.toString(this.port),
				"management.server.port", Integer.toString(this.managementPort), "chat.log.embedded.directory",
				folder + "/log", "chat.security.jwt.key-directory", folder + "/keys", "chat.limits.sends-per-second",
				"0", "spring.datasource.url",
				"jdbc:h2:file:" + folder + "/db/parley;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"));
		settings.forEach((setting) -> all.put(setting.split("=", 2)[0], setting.split("=", 2)[1]));
		all.forEach((name, value) -> command.add("--" + name + "=" + value));
		try {
			this.process = new ProcessBuilder(command).directory(folder.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log().toFile())
				.start();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		Runtime.getRuntime().addShutdownHook(this.cleaner);
	}

	/**
	 * Starts a server and waits until it is ready.
	 * @param jar the packaged chat-server
	 * @param jvmOptions what replaces or adds to {@code -Xmx512m} and the parallel
	 * collector
	 * @param settings as {@code chat.broker.mode=bus}; they override the defaults, which
	 * are a fresh H2 file, the embedded log, workers in the process, and no limit of
	 * messages per second
	 * @throws RefusedException when it does not become ready, with the end of its log
	 */
	public static LocalServer start(Path jar, List<String> jvmOptions, List<String> settings) {
		if (!Files.isRegularFile(jar)) {
			throw new RefusedException(
					"%s is missing: build it with \"mvn -pl chat-server -am -DskipTests package\".".formatted(jar));
		}
		try {
			LocalServer server = new LocalServer(Files.createTempDirectory("parley-"), jar, jvmOptions, settings);
			server.awaitReady();
			return server;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** Where clients connect to. */
	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/** Where its metrics are. */
	public URI managementUrl() {
		return URI.create("http://127.0.0.1:" + this.managementPort);
	}

	/** Its process. */
	public long pid() {
		return this.process.pid();
	}

	/** What it wrote to its console. */
	public Path log() {
		return this.folder.resolve("server.log");
	}

	private void awaitReady() throws IOException {
		long end = System.nanoTime() + LONGEST_START.toNanos();
		try (HttpClient client = HttpClient.newHttpClient()) {
			HttpRequest request = HttpRequest.newBuilder(url().resolve("/readyz")).build();
			while (!isReady(client, request)) {
				if (!this.process.isAlive() || System.nanoTime() - end > 0) {
					List<String> lines = Files.readAllLines(log());
					close();
					throw new RefusedException("The server did not become ready. The end of its log:%n%s".formatted(
							String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()))));
				}
				TimeUnit.MILLISECONDS.sleep(100);
			}
		}
		catch (InterruptedException ex) {
			close();
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

	private static boolean isReady(HttpClient client, HttpRequest request) throws InterruptedException {
		try {
			return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		Cleaners.remove(this.cleaner);
		end();
	}

	private void end() {
		this.process.destroy();
		try {
			if (!this.process.waitFor(LONGEST_STOP)) {
				this.process.destroyForcibly().waitFor();
			}
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
		try (Stream<Path> files = Files.walk(this.folder)) {
			files.sorted(Comparator.reverseOrder()).forEach((file) -> file.toFile().delete());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
