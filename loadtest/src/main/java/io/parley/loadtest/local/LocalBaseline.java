package io.parley.loadtest.local;

import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.Jcmd;

/**
 * The chat of Spring's tutorials in a process of its own, on a free port, with the JVM's
 * defaults but for the size of the heap. Closing it ends the process; so does the end of
 * this JVM.
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
	 * Starts it and waits until it takes connections.
	 * @param settings as {@code spring.profiles.active=inline}
	 * @throws RefusedException when it does not, with the end of its log
	 */
	public static LocalBaseline start(List<String> settings) {
		LocalBaseline baseline = new LocalBaseline(Checkout.baseline(), settings);
		// Spring Boot binds the port when all else is ready.
		baseline.process.await(() -> LocalServer.listens(baseline.port), new Jcmd(baseline.pid()));
		return baseline;
	}

	/** Where clients connect to. */
	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/** Its process. */
	public long pid() {
		return this.process.pid();
	}

	@Override
	public void close() {
		this.process.close();
	}

}
