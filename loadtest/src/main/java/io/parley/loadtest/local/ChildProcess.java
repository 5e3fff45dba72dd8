package io.parley.loadtest.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.HeapSource;
import io.parley.loadtest.report.ProcessSampler;

/**
 * A server that this JVM started, in a temporary folder of its own. Closing it ends the
 * process and deletes the folder; so does the end of this JVM.
 */
final class ChildProcess implements AutoCloseable {

	/** What each JVM is started with: all that is compared has the same. */
	static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseParallelGC", "-XX:NewRatio=1",
			"-XX:MaxTenuringThreshold=1", "-XX:+UseCompactObjectHeaders", "--enable-native-access=ALL-UNNAMED");

	private static final Duration START_TIMEOUT = Duration.ofSeconds(120);

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(50);

	private static final int LINES_OF_LOG = 15;

	private final Thread cleaner = new Thread(this::end);

	private final String name;

	private final Path folder;

	private final Process process;

	private final Ending ending;

	private volatile Runnable unwatch = () -> {
	};

	/** How a process is asked to end. */
	enum Ending {

		/** By a signal. */
		SIGNAL,
		/** By the end of its standard input, so it cannot outlive this JVM either. */
		INPUT

	}

	/**
	 * Starts it.
	 * @param name for people, as {@code chat-server}; reports show it by that
	 * @param folder its working directory, which is deleted in the end
	 */
	ChildProcess(String name, Path folder, List<String> command, Ending ending) {
		this.name = name;
		this.folder = folder;
		this.ending = ending;
		try {
			this.process = new ProcessBuilder(command).directory(folder.toFile())
				.redirectErrorStream(true)
				.redirectOutput(log().toFile())
				.start();
		}
		catch (IOException ex) {
			ScratchFolder.delete(folder);
			throw new UncheckedIOException(ex);
		}
		Runtime.getRuntime().addShutdownHook(this.cleaner);
	}

	/** The command that starts a JVM as the one that runs. */
	static List<String> java(List<String> options, List<String> program, List<String> arguments) {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(options);
		command.addAll(program);
		command.addAll(arguments);
		return command;
	}

	/**
	 * The words that start a jar.
	 * @throws RefusedException when it is not there
	 */
	static List<String> jar(Path jar) {
		if (!Files.isRegularFile(jar)) {
			throw new RefusedException(
					"%s is missing: start the study by \"./chat loadtest\", which builds it, or build it".formatted(jar)
							+ " with \"mvn -DskipTests package\".");
		}
		return List.of("-jar", jar.toAbsolutePath().toString());
	}

	/** A folder for a process. */
	static Path folder() {
		try {
			return Files.createTempDirectory("parley-");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	long pid() {
		return this.process.pid();
	}

	/** What it wrote to its console. */
	Path log() {
		return this.folder.resolve("console.log");
	}

	/**
	 * Waits until it is ready. From then on the report of the run shows what it needs.
	 * @param heap of this process, {@link HeapSource#NONE} for what is no JVM
	 * @throws RefusedException when it does not become so, with the end of its log, or
	 * when the run is interrupted; it is closed then
	 */
	void await(BooleanSupplier ready, HeapSource heap) {
		long end = System.nanoTime() + START_TIMEOUT.toNanos();
		try {
			while (!ready.getAsBoolean()) {
				Interrupt.check();
				if (!this.process.isAlive() || System.nanoTime() - end > 0) {
					throw new RefusedException(
							"The %s did not become ready. The end of its log:%n%s".formatted(this.name, endOfLog()));
				}
				TimeUnit.MILLISECONDS.sleep(100);
			}
			this.unwatch = ProcessSampler.started(this.name, pid(), heap);
		}
		catch (InterruptedException ex) {
			close();
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
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
	public void close() {
		Cleaners.remove(this.cleaner);
		end();
	}

	private void end() {
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
