package io.parley.loadtest.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.loadtest.cli.Http;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.local.ChildProcess.Ending;
import io.parley.loadtest.report.HeapSource;

/**
 * A chat-server of this checkout in a separate process, on free ports, with its data in a
 * temporary folder. Closing it, or the end of this JVM, ends the process and deletes the
 * folder.
 */
public final class LocalServer extends ChildProcess {

	private static final Duration ANSWER = Duration.ofSeconds(5);

	private final int port;

	private final int managementPort;

	private LocalServer(int port, int managementPort, Path folder, List<String> command) {
		super("chat-server", folder, command, Ending.SIGNAL);
		this.port = port;
		this.managementPort = managementPort;
	}

	/**
	 * Starts a server and waits until it is ready.
	 * @param jar the packaged chat-server
	 * @param jvmOptions options that replace or extend {@code -Xmx512m} and the parallel
	 * collector
	 * @param settings such as {@code chat.broker.mode=bus}; they override the defaults,
	 * which are a new H2 file, the embedded log, workers in the process, open
	 * registration, and no limit of messages per second
	 * @throws LoadTestException when it does not become ready, with the end of its log
	 */
	public static LocalServer start(Path jar, List<String> jvmOptions, List<String> settings) {
		List<String> program = jar(jar);
		Path folder = folder();
		int port = freePort();
		int managementPort = freePort();
		// Use a map: Spring would read a setting given twice as a list of both values.
		Map<String, String> all = new LinkedHashMap<>(Map.of("server.port", Integer.toString(port),
				"management.server.port", Integer.toString(managementPort), "chat.log.embedded.directory",
				folder + "/log", "chat.security.jwt.key-directory", folder + "/keys", "chat.limits.sends-per-second",
				"0", "chat.limits.rooms-per-minute", "0", "chat.security.registration", "open", "spring.datasource.url",
				"jdbc:h2:file:" + folder + "/db/parley;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"));
		settings.forEach((setting) -> all.put(setting.split("=", 2)[0], setting.split("=", 2)[1]));
		List<String> arguments = all.entrySet()
			.stream()
			.map((one) -> "--" + one.getKey() + "=" + one.getValue())
			.toList();
		List<String> options = Stream.of(JVM, jvmOptions).flatMap(List::stream).toList();
		LocalServer server = new LocalServer(port, managementPort, folder, java(options, program, arguments));
		try (Http http = new Http()) {
			server.await(() -> server.isReady(http), HeapSource.prometheus(server.managementUrl()));
		}
		return server;
	}

	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	public URI managementUrl() {
		return URI.create("http://127.0.0.1:" + this.managementPort);
	}

	private boolean isReady(Http http) {
		try {
			return http.get(url().resolve("/readyz"), ANSWER).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
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

}
