package io.parley.loadtest.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.LoadTest;
import io.parley.loadtest.cli.RefusedException;

/**
 * A command of this load kit in a process of its own. It says {@link #READY} on its
 * console when others may come, and ends when its standard input does: so it cannot
 * outlive who started it.
 */
public final class KitProcess implements AutoCloseable {

	/** The line that a command prints when it is ready. */
	public static final String READY = "ready";

	private static final Duration LONGEST_STOP = Duration.ofSeconds(20);

	private static final int CHARACTERS_OF_LOG = 2000;

	private final Path log;

	private final Process process;

	private KitProcess(List<String> arguments) throws IOException {
		this.log = Files.createTempFile("parley-kit-", ".log");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx512m",
						"-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders", "--enable-native-access=ALL-UNNAMED",
						"--sun-misc-unsafe-memory-access=allow", "-Djava.rmi.server.hostname=127.0.0.1"));
		command.addAll(program());
		command.addAll(arguments);
		this.process = new ProcessBuilder(command).redirectError(this.log.toFile()).start();
	}

	/**
	 * Starts a command with the heap and the collector that {@link LocalServer} has, and
	 * waits until it is ready.
	 * @throws RefusedException when it ends before, with the end of what it said
	 */
	public static KitProcess start(String... arguments) {
		try {
			KitProcess started = new KitProcess(List.of(arguments));
			started.awaitReady();
			return started;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Says that this process is ready, and returns when the one that started it wants it
	 * to end or is gone.
	 */
	public static void serve() {
		System.out.println(READY);
		try {
			while (System.in.read() >= 0) {
				continue;
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/** A port that nobody uses now. */
	public static int freePort() {
		return LocalServer.freePort();
	}

	/** Its process. */
	public long pid() {
		return this.process.pid();
	}

	/**
	 * How this load kit is started again: the packaged jar has a loader of its own; tests
	 * run from a class path.
	 */
	public static List<String> program() {
		String classPath = System.getProperty("java.class.path");
		boolean packaged = LoadTest.class.getClassLoader() != ClassLoader.getSystemClassLoader();
		return packaged ? List.of("-jar", classPath) : List.of("-cp", classPath, LoadTest.class.getName());
	}

	private void awaitReady() throws IOException {
		BufferedReader console = this.process.inputReader(StandardCharsets.UTF_8);
		for (String line = console.readLine(); !READY.equals(line); line = console.readLine()) {
			if (line == null) {
				String said = Files.readString(this.log);
				close();
				throw new RefusedException("A process of the load kit did not start. The end of what it said:%n%s"
					.formatted(said.substring(Math.max(0, said.length() - CHARACTERS_OF_LOG))));
			}
		}
		Thread.ofVirtual().start(() -> drain(console));
	}

	private static void drain(BufferedReader console) {
		try {
			console.transferTo(Writer.nullWriter());
		}
		catch (IOException ex) {
			// The process is over.
		}
	}

	@Override
	public void close() {
		try {
			this.process.getOutputStream().close();
			if (!this.process.waitFor(LONGEST_STOP)) {
				this.process.destroyForcibly().waitFor();
			}
			Files.deleteIfExists(this.log);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			this.process.destroyForcibly();
			Thread.currentThread().interrupt();
		}
	}

}
