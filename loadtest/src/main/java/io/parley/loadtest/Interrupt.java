package io.parley.loadtest;

import io.parley.loadtest.cli.RefusedException;
import sun.misc.Signal;

/**
 * Ctrl-C while a trial runs: the trial ends early, and its report shows what there is. A
 * second one ends the JVM at once.
 */
final class Interrupt {

	/** What a shell says of a program that Ctrl-C ended. */
	static final int EXIT_CODE = 130;

	private static volatile boolean requested;

	private static boolean enabled;

	private Interrupt() {
	}

	/** This JVM has no other purpose, so its signals may be used. */
	static void enable() {
		enabled = true;
	}

	/** From here on Ctrl-C and a plain kill only ask for the end. */
	static void listen() {
		requested = false;
		if (!enabled) {
			return;
		}
		Signal.handle(new Signal("INT"), (signal) -> request());
		Signal.handle(new Signal("TERM"), (signal) -> request());
	}

	static void request() {
		if (requested) {
			System.exit(EXIT_CODE);
		}
		requested = true;
		System.out.println("interrupted: the run ends now, the report follows (once more ends at once)");
	}

	static boolean requested() {
		return requested;
	}

	/**
	 * Ends what has no report yet.
	 * @throws RefusedException when the end was asked for
	 */
	static void check() {
		if (requested) {
			throw new RefusedException("The run was interrupted before it measured anything.");
		}
	}

}
