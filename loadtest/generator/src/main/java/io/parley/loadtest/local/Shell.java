package io.parley.loadtest.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.RefusedException;

/**
 * Runs commands of the operating system.
 */
public final class Shell {

	private static final int PAUSE_MILLIS = 200;

	private Shell() {
	}

	/**
	 * Returns whether the command exists and exits with 0.
	 */
	static boolean succeeds(String... command) {
		try {
			return new ProcessBuilder(command).redirectErrorStream(true)
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start()
				.waitFor() == 0;
		}
		catch (IOException ex) {
			return false;
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
	}

	/**
	 * Runs a command and returns its output.
	 * @throws RefusedException with the output, when the command fails
	 */
	public static String run(String... command) {
		try {
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
			if (process.waitFor() != 0) {
				throw new RefusedException("%s failed: %s".formatted(String.join(" ", command), output));
			}
			return output;
		}
		catch (IOException ex) {
			throw new RefusedException("%s cannot be run: %s".formatted(command[0], ex.getMessage()));
		}
		catch (InterruptedException ex) {
			throw interrupted();
		}
	}

	/**
	 * Waits for a condition.
	 * @throws RefusedException with the given sentence, when the condition is not met in
	 * time
	 */
	public static void await(long millis, BooleanSupplier condition, String otherwise) {
		long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end > 0) {
				throw new RefusedException(otherwise);
			}
			try {
				TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
			}
			catch (InterruptedException ex) {
				throw interrupted();
			}
		}
	}

	private static RefusedException interrupted() {
		Thread.currentThread().interrupt();
		return new RefusedException("The run was interrupted.");
	}

}
