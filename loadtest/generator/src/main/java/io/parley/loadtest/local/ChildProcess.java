package io.parley.loadtest.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.report.HeapSource;
import io.parley.loadtest.report.ProcessSampler;

/**
 * A server started by this JVM, in a temporary folder. Closing it, or the end of this
 * JVM, ends the process and deletes the folder.
 */
public sealed class ChildProcess extends ClosedAtExit permits LocalServer, KitProcess {

	/**
	 * The JVM options of all servers that are compared, as {@code ./chat run} sets them.
	 */
	public static final List<String> JVM = List.of("-Xmx512m", "-XX:SweeperThreshold=100", "-XX:MetaspaceSize=160m",
			"-XX:+UseParallelGC", "-XX:NewRatio=1", "-XX:MaxTenuringThreshold=1", "-XX:Tier4InvocationThreshold=50000",
			"-XX:Tier4MinInvocationThreshold=6000", "-XX:Tier4CompileThreshold=150000", "-XX:+UseCompactObjectHeaders",
			"--enable-native-access=ALL-UNNAMED");

	private static final Duration START_TIMEOUT = Duration.ofSeconds(120);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(50);

	private static final Duration POLL = Duration.ofMillis(100);

	private static final int LINES_OF_LOG = 15;

	private static final int FIRST_PORT = 20_000;

	private static final int LAST_PORT = 30_000;

	private final String name;

	private final Path folder;

	private final Process process;

	private final Ending ending;

	private volatile Runnable unwatch = () -> {
	};

	/**
	 * The way to end a process.
	 */
	public enum Ending {

		/** Ends it by a signal. */
		SIGNAL,
		/**
		 * Ends it by closing its standard input. Such a process cannot outlive this JVM.
		 */
		INPUT

	}

	/**
	 * Starts a process.
	 * @param name for messages and reports, such as {@code chat-server}
	 * @param folder its working directory, which is deleted at the end
	 */
	public ChildProcess(String name, Path folder, List<String> command, Ending ending) {
		this(name, folder, command, Map.of(), ending);
	}

	/**
	 * Starts a process.
	 * @param name for messages and reports, such as {@code chat-server}
	 * @param folder its working directory, which is deleted at the end
	 * @param environment variables that it gets besides those of this JVM
	 */
	public ChildProcess(String name, Path folder, List<String> command, Map<String, String> environment,
			Ending ending) {
		this.name = name;
		this.folder = folder;
		this.ending = ending;
		try {
			ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log().toFile());
			builder.environment().putAll(environment);
			this.process = builder.start();
		}
		catch (IOException ex) {
			ScratchFolder.delete(folder);
			throw new UncheckedIOException(ex);
		}
		closeAtExit();
	}

	/**
	 * Returns a command that starts a JVM of the same installation as this one.
	 */
	public static List<String> java(List<String> options, List<String> program, List<String> arguments) {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		return Stream.of(List.of(java), options, program, arguments).flatMap(List::stream).toList();
	}

	/**
	 * Returns the arguments that start a jar.
	 * @throws LoadTestException when the jar does not exist
	 */
	public static List<String> jar(Path jar) {
		if (!Files.isRegularFile(jar)) {
			throw new LoadTestException(
					"%s is missing: start the study with \"./chat loadtest\", which builds it, or build it"
						.formatted(jar) + " with \"mvn -DskipTests package\".");
		}
		return List.of("-jar", jar.toAbsolutePath().toString());
	}

	public static Path folder() {
		try {
			return Files.createTempDirectory("parley-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Returns a port that is currently free. It is below the ephemeral range: outgoing
	 * connections do not take it before the server has started.
	 */
	public static int freePort() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(FIRST_PORT, LAST_PORT);
			try (ServerSocket socket = new ServerSocket(port)) {
				return socket.getLocalPort();
			}
			catch (IOException ex) {
				// in use: try another
			}
		}
	}

	public final long pid() {
		return this.process.pid();
	}

	/**
	 * Returns the file with the console output of the process.
	 */
	public final Path log() {
		return this.folder.resolve("console.log");
	}

	/**
	 * Waits until the process is ready. From then on the report of the run shows its
	 * resource use.
	 * @param heap of this process, {@link HeapSource#NONE} if it is not a JVM
	 * @throws LoadTestException when the process does not become ready, with the end of
	 * its log, or when the run is interrupted; the process is then closed
	 */
	public final void await(BooleanSupplier ready, HeapSource heap) {
		try {
			Waiting.until(START_TIMEOUT, POLL, () -> ready.getAsBoolean() || !this.process.isAlive());
			Interrupt.check();
			if (!ready.getAsBoolean()) {
				throw new LoadTestException(
						"The %s did not become ready. The end of its log:%n%s".formatted(this.name, endOfLog()));
			}
			this.unwatch = ProcessSampler.started(this.name, pid(), heap);
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	private String endOfLog() {
		try {
			List<String> lines = Files.readAllLines(log());
			return String.join("\n", lines.subList(Math.max(0, lines.size() - LINES_OF_LOG), lines.size()));
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	@Override
	final void end() {
		this.unwatch.run();
		try {
			this.process.getOutputStream().close();
			if (this.ending == Ending.SIGNAL) {
				this.process.destroy();
			}
			if (!this.process.waitFor(STOP_TIMEOUT)) {
				this.process.destroyForcibly().waitFor();
			}
		}
		catch (IOException ex) {
			this.process.destroyForcibly();
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
		ScratchFolder.delete(this.folder);
	}

}
