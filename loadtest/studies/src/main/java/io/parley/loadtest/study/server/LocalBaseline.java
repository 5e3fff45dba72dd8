package io.parley.loadtest.study.server;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.report.Jcmd;

/**
 * The chat of Spring's tutorials in a separate process, on a free port, with the JVM's
 * defaults except for the heap size. Closing it, or the end of this JVM, ends the
 * process.
 */
public final class LocalBaseline implements AutoCloseable {

	private final int port = LocalServer.freePort();

	private final ChildProcess process;

	private LocalBaseline(Path jar, List<String> settings) {
		List<String> program = ChildProcess.jar(jar);
		List<String> arguments = Stream.concat(Stream.of("server.port=" + this.port), settings.stream())
			.map((setting) -> "--" + setting)
			.toList();
		this.process = new ChildProcess("baseline", ChildProcess.folder(),
				ChildProcess.java(List.of("-Xmx512m"), program, arguments), ChildProcess.Ending.SIGNAL);
	}

	/**
	 * Starts the server and waits until it accepts connections.
	 * @param settings such as {@code spring.profiles.active=inline}
	 * @throws RefusedException when it does not become ready, with the end of its log
	 */
	public static LocalBaseline start(List<String> settings) {
		LocalBaseline baseline = new LocalBaseline(Checkout.baseline(), settings);
		// Spring Boot binds the port last, when everything else is ready.
		baseline.process.await(() -> LocalServer.listens(baseline.port), new Jcmd(baseline.pid()));
		return baseline;
	}

	/**
	 * Returns the address for clients.
	 */
	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/**
	 * Returns the process id.
	 */
	public long pid() {
		return this.process.pid();
	}

	@Override
	public void close() {
		this.process.close();
	}

}
