package io.parley.loadtest.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * A command of the operating system that has ended.
 *
 * @param output everything that it printed
 */
public record Subprocess(int exitCode, String output) {

	/**
	 * Runs a command in the given folder.
	 * @throws IOException when it cannot be started
	 * @throws LoadTestException when this thread is interrupted
	 */
	public static Subprocess run(Path folder, String... command) throws IOException {
		try {
			Process process = new ProcessBuilder(command).directory(folder.toAbsolutePath().toFile())
				.redirectErrorStream(true)
				.start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			return new Subprocess(process.waitFor(), output);
		}
		catch (InterruptedException ex) {
			throw Interrupt.ofThread();
		}
	}

}
