package io.parley.loadtest.cli;

import sun.misc.Signal;

/**
 * Handles Ctrl-C during a measurement: the run ends early and its report shows the
 * results so far. A second Ctrl-C ends the JVM at once.
 */
public final class Interrupt {

	/** The exit code that shells use for a program ended by Ctrl-C. */
	public static final int EXIT_CODE = 130;

	private static volatile boolean requested;

	private static boolean enabled;

	private Interrupt() {
	}

	/**
	 * Allows {@link #listen} to install signal handlers. Call it only in a JVM of the
	 * load kit itself.
	 */
	public static void enable() {
		enabled = true;
	}

	/**
	 * Makes Ctrl-C and SIGTERM request the end of the run from now on. Resets an earlier
	 * request.
	 */
	public static void listen() {
		requested = false;
		if (!enabled) {
			return;
		}
		Signal.handle(new Signal("INT"), (signal) -> request());
		Signal.handle(new Signal("TERM"), (signal) -> request());
	}

	/**
	 * Requests the end of the run, as Ctrl-C does. A second request ends the JVM.
	 */
	public static void request() {
		if (requested) {
			System.exit(EXIT_CODE);
		}
		requested = true;
		System.out.println("interrupted: the run ends now and the report follows (interrupt again to end at once)");
	}

	/**
	 * Returns whether the end of the run was requested.
	 */
	public static boolean requested() {
		return requested;
	}

	/**
	 * Ends a run that has no report yet.
	 * @throws LoadTestException when the end of the run was requested
	 */
	public static void check() {
		if (requested) {
			throw new LoadTestException("The run was interrupted before it measured anything.");
		}
	}

	/**
	 * Keeps the interrupt of the current thread, and returns the exception that ends the
	 * run.
	 */
	public static LoadTestException ofThread() {
		Thread.currentThread().interrupt();
		return new LoadTestException("The run was interrupted.");
	}

}
