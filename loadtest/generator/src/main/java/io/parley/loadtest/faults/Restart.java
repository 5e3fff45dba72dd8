package io.parley.loadtest.faults;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs the command that restarts the server, one at a time. What the command prints
 * appears on the console.
 */
final class Restart {

	private static final Duration LONGEST = Duration.ofMinutes(5);

	private final String command;

	private final Counts counts;

	private final AtomicBoolean running = new AtomicBoolean();

	/**
	 * Creates a restart.
	 * @param command for the shell; empty if there is none
	 */
	Restart(String command, Counts counts) {
		this.command = command;
		this.counts = counts;
	}

	/**
	 * Starts the command, unless it is still running.
	 */
	void begin() {
		if (!this.command.isEmpty() && this.running.compareAndSet(false, true)) {
			if (this.counts.permit(Action.Kind.RESTART)) {
				Thread.ofVirtual().start(this::run);
			}
			else {
				this.running.set(false);
			}
		}
	}

	private void run() {
		try {
			Process process = new ProcessBuilder("sh", "-c", this.command)
				.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
				.redirectOutput(ProcessBuilder.Redirect.INHERIT)
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			if (!process.waitFor(LONGEST)) {
				process.destroyForcibly();
				failed("did not end within " + LONGEST.toMinutes() + " minutes: start the server in the background");
			}
			else if (process.exitValue() != 0) {
				failed("ended with " + process.exitValue());
			}
		}
		catch (IOException ex) {
			failed("cannot be started: " + ex.getMessage());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.running.set(false);
		}
	}

	private void failed(String how) {
		this.counts.failedRestarts.increment();
		System.err.println("faults: the command of --restart " + how);
	}

}
