package io.parley.loadtest.local;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.cli.RefusedException;

/**
 * The chat of Spring's tutorials in a process of its own, on a free port, with the JVM's
 * defaults but for the size of the heap. Closing it ends the process; so does the end of
 * this JVM.
 */
public final class LocalBaseline implements AutoCloseable {

	private final ChildJvm jvm;

	private final int port;

	private LocalBaseline(Path jar, List<String> settings) {
		this.port = LocalServer.freePort();
		Path folder = ChildJvm.folder(jar);
		List<String> arguments = new ArrayList<>();
		arguments.add("--server.port=" + this.port);
		settings.forEach((setting) -> arguments.add("--" + setting));
		this.jvm = new ChildJvm(folder, List.of("-Xmx512m"), jar, arguments);
	}

	/**
	 * Starts it and waits until it takes connections.
	 * @param settings as {@code spring.profiles.active=inline}
	 * @throws RefusedException when it does not, with the end of its log
	 */
	public static LocalBaseline start(List<String> settings) {
		LocalBaseline baseline = new LocalBaseline(Checkout.baseline(), settings);
		baseline.jvm.await("The baseline", () -> listens(baseline.port));
		return baseline;
	}

	/** Where clients connect to. */
	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/** Its process. */
	public long pid() {
		return this.jvm.pid();
	}

	/** Spring Boot binds the port when all else is ready. */
	private static boolean listens(int port) {
		try {
			new Socket(InetAddress.getLoopbackAddress(), port).close();
			return true;
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Override
	public void close() {
		this.jvm.close();
	}

}
