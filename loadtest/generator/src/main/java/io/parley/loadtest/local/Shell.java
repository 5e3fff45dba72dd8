package io.parley.loadtest.local;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Subprocess;
import io.parley.loadtest.cli.Waiting;

/**
 * Runs commands of the operating system.
 */
public final class Shell {

	private static final Duration PAUSE = Duration.ofMillis(200);

	private Shell() {
	}

	/**
	 * Returns whether the command exists and exits with 0.
	 */
	static boolean succeeds(String... command) {
		try {
			return Subprocess.run(Path.of(""), command).exitCode() == 0;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * Runs a command and returns its output.
	 * @throws LoadTestException with the output, when the command fails
	 */
	public static String run(String... command) {
		try {
			Subprocess ended = Subprocess.run(Path.of(""), command);
			if (ended.exitCode() != 0) {
				throw new LoadTestException("%s failed: %s".formatted(String.join(" ", command), ended.output()));
			}
			return ended.output();
		}
		catch (IOException ex) {
			throw new LoadTestException("%s cannot be run: %s".formatted(command[0], ex.getMessage()));
		}
	}

	/**
	 * Waits for a condition.
	 * @throws LoadTestException with the given sentence, when the condition is not met in
	 * time
	 */
	public static void await(long millis, BooleanSupplier condition, String otherwise) {
		boolean met = Waiting.until(Duration.ofMillis(millis), PAUSE, condition);
		Interrupt.check();
		if (!met) {
			throw new LoadTestException(otherwise);
		}
	}

}
