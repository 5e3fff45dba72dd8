package io.parley.loadtest.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.HeapSource;

/**
 * A chat-server of this checkout in a separate process, on free ports, with its data in a
 * temporary folder. Closing it, or the end of this JVM, ends the process and deletes the
 * folder.
 */
public final class LocalServer implements AutoCloseable {

	private final int port = freePort();

	private final int managementPort = freePort();

	private final ChildProcess process;

	private LocalServer(Path jar, List<String> jvmOptions, List<String> settings) {
		List<String> program = ChildProcess.jar(jar);
		Path folder = ChildProcess.folder();
		// Use a map: Spring would read a setting given twice as a list of both values.
		Map<String, String> all = new LinkedHashMap<>(Map.of("server.port", Integer.toString(this.port),
				"management.server.port", Integer.toString(this.managementPort), "chat.log.embedded.directory",
				folder + "/log", "chat.security.jwt.key-directory", folder + "/keys", "chat.limits.sends-per-second",
				"0", "chat.limits.rooms-per-minute", "0", "spring.datasource.url",
				"jdbc:h2:file:" + folder + "/db/parley;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"));
		settings.forEach((setting) -> all.put(setting.split("=", 2)[0], setting.split("=", 2)[1]));
		List<String> arguments = all.entrySet()
			.stream()
			.map((one) -> "--" + one.getKey() + "=" + one.getValue())
			.toList();
		List<String> options = new ArrayList<>(ChildProcess.JVM);
		options.addAll(jvmOptions);
		this.process = new ChildProcess("chat-server", folder, ChildProcess.java(options, program, arguments),
				ChildProcess.Ending.SIGNAL);
	}

	/**
	 * Starts a server and waits until it is ready.
	 * @param jar the packaged chat-server
	 * @param jvmOptions options that replace or extend {@code -Xmx512m} and the parallel
	 * collector
	 * @param settings such as {@code chat.broker.mode=bus}; they override the defaults,
	 * which are a new H2 file, the embedded log, workers in the process, and no limit of
	 * messages per second
	 * @throws RefusedException when it does not become ready, with the end of its log
	 */
	public static LocalServer start(Path jar, List<String> jvmOptions, List<String> settings) {
		LocalServer server = new LocalServer(jar, jvmOptions, settings);
		HttpRequest request = HttpRequest.newBuilder(server.url().resolve("/readyz")).build();
		try (HttpClient client = HttpClient.newHttpClient()) {
			server.process.await(() -> isReady(client, request), HeapSource.prometheus(server.managementUrl()));
		}
		return server;
	}

	/**
	 * Returns the address for clients.
	 */
	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/**
	 * Returns the address of the metrics.
	 */
	public URI managementUrl() {
		return URI.create("http://127.0.0.1:" + this.managementPort);
	}

	/**
	 * Returns the process id.
	 */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * Returns the file with its console output.
	 */
	public Path log() {
		return this.process.log();
	}

	private static boolean isReady(HttpClient client, HttpRequest request) {
		try {
			return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	@Override
	public void close() {
		this.process.close();
	}

	/**
	 * Returns whether a port of this machine accepts connections.
	 */
	public static boolean listens(int port) {
		try {
			new Socket(InetAddress.getLoopbackAddress(), port).close();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Returns a port that is currently free.
	 */
	public static int freePort() {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
