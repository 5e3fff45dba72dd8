package io.parley.loadtest.cli;

import sun.misc.Signal;

/**
 * Ctrl-C while a command measures: it ends early, and its report shows what there is. A
 * second one ends the JVM at once.
 */
public final class Interrupt {

	/** What a shell says of a program that Ctrl-C ended. */
	public static final int EXIT_CODE = 130;

	private static volatile boolean requested;

	private static boolean enabled;

	private Interrupt() {
	}

	/** This JVM has no other purpose, so its signals may be used. */
	public static void enable() {
		enabled = true;
	}

	/** From here on Ctrl-C and a plain kill only ask for the end. */
	public static void listen() {
		requested = false;
		if (!enabled) {
			return;
		}
		Signal.handle(new Signal("INT"), (signal) -> request());
		Signal.handle(new Signal("TERM"), (signal) -> request());
	}

	/** Asks for the end, as Ctrl-C does. */
	public static void request() {
		if (requested) {
			System.exit(EXIT_CODE);
		}
		requested = true;
		System.out.println("interrupted: the run ends now, the report follows (once more ends at once)");
	}

	/** Whether the end was asked for. */
	public static boolean requested() {
		return requested;
	}

	/**
	 * Ends what has no report yet.
	 * @throws RefusedException when the end was asked for
	 */
	public static void check() {
		if (requested) {
			throw new RefusedException("The run was interrupted before it measured anything.");
		}
	}

}
