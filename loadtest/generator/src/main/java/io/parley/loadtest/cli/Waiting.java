package io.parley.loadtest.cli;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waits that end early when the run is interrupted.
 */
public final class Waiting {

	private static final Duration STEP = Duration.ofMillis(20);

	private Waiting() {
	}

	/**
	 * Waits for a condition, up to the given time.
	 * @return whether the condition was met
	 */
	public static boolean until(Duration longest, BooleanSupplier condition) {
		return until(longest, STEP, condition);
	}

	/**
	 * Waits for a condition, up to the given time.
	 * @param step the time between two checks
	 * @return whether the condition was met
	 */
	public static boolean until(Duration longest, Duration step, BooleanSupplier condition) {
		long end = System.nanoTime() + longest.toNanos();
		boolean met = condition.getAsBoolean();
		while (!met && System.nanoTime() - end < 0 && !Interrupt.requested()) {
			LockSupport.parkNanos(step.toNanos());
			met = condition.getAsBoolean();
		}
		return met;
	}

	/**
	 * Waits for the given time.
	 */
	public static void pass(Duration length) {
		until(length, () -> false);
	}

}
