package io.parley.loadtest.study.server;

import java.net.URI;
import java.util.List;
import java.util.stream.Stream;

import io.parley.loadtest.local.Checkout;
import io.parley.loadtest.local.ChildProcess;
import io.parley.loadtest.local.LocalServer;
import io.parley.loadtest.report.Jcmd;

/**
 * The chat of Spring's tutorials in a separate process, on a free port, with the JVM's
 * defaults except for the heap size. Closing it, or the end of this JVM, ends the
 * process.
 */
public record LocalBaseline(URI url, ChildProcess process) implements AutoCloseable {

	/**
	 * Starts the server and waits until it accepts connections.
	 * @param settings such as {@code spring.profiles.active=inline}
	 * @throws io.parley.loadtest.cli.LoadTestException when it does not become ready,
	 * with the end of its log
	 */
	public static LocalBaseline start(List<String> settings) {
		int port = LocalServer.freePort();
		List<String> program = ChildProcess.jar(Checkout.baseline());
		List<String> arguments = Stream.concat(Stream.of("server.port=" + port), settings.stream())
			.map((setting) -> "--" + setting)
			.toList();
		ChildProcess process = new ChildProcess("baseline", ChildProcess.folder(),
				ChildProcess.java(List.of("-Xmx512m"), program, arguments), ChildProcess.Ending.SIGNAL);
		// Spring Boot binds the port last, when everything else is ready.
		process.await(() -> LocalServer.listens(port), new Jcmd(process.pid()));
		return new LocalBaseline(URI.create("http://127.0.0.1:" + port), process);
	}

	public long pid() {
		return this.process.pid();
	}

	@Override
	public void close() {
		this.process.close();
	}

}
