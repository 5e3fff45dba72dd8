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

import io.parley.loadtest.cli.RefusedException;

/**
 * A JVM that this one started, in a temporary folder of its own. Closing it ends the
 * process and deletes the folder; so does the end of this JVM.
 */
final class ChildJvm implements AutoCloseable {

	private static final Duration LONGEST_START = Duration.ofSeconds(60);

	private static final Duration LONGEST_STOP = Duration.ofSeconds(20);

	private static final int LINES_OF_LOG = 15;

	private final Thread cleaner = new Thread(this::end);

	private final Path folder;

	private final Process process;

	/**
	 * Starts it.
	 * @param folder its working directory, which is deleted in the end
	 * @throws RefusedException when the jar is missing
	 */
	ChildJvm(Path folder, List<String> jvmOptions, Path jar, List<String> arguments) {
		this.folder = folder;
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(jvmOptions);
		command.addAll(List.of("-jar", jar.toString()));
		command.addAll(arguments);
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
	 * A folder for a jar that is there.
	 * @throws RefusedException when the jar is not there
	 */
	static Path folder(Path jar) {
		if (!Files.isRegularFile(jar)) {
			throw new RefusedException(
					"%s is missing: start the study by \"./chat loadtest\", which builds it, or build it".formatted(jar)
							+ " with \"mvn -DskipTests package\".");
		}
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

	private Path log() {
		return this.folder.resolve("console.log");
	}

	/**
	 * Waits for a condition.
	 * @throws RefusedException with the end of its log when that does not come true
	 */
	void await(String what, BooleanSupplier ready) {
		long end = System.nanoTime() + LONGEST_START.toNanos();
		while (!ready.getAsBoolean()) {
			if (!this.process.isAlive() || System.nanoTime() - end > 0) {
				String log = endOfLog();
				close();
				throw new RefusedException("%s did not become ready. The end of its log:%n%s".formatted(what, log));
			}
			pause();
		}
	}

	private void pause() {
		try {
			TimeUnit.MILLISECONDS.sleep(100);
		}
		catch (InterruptedException ex) {
			close();
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
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
		ScratchFolder.delete(this.folder);
	}

}
