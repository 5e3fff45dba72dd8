package io.parley.loadtest.session;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.Interrupt;

/**
 * Waits that end early when the run is interrupted.
 */
public final class Waiting {

	private static final long STEP = TimeUnit.MILLISECONDS.toNanos(20);

	private Waiting() {
	}

	/**
	 * Waits for a condition, up to the given time.
	 * @return whether the condition was met
	 */
	public static boolean until(Duration longest, BooleanSupplier condition) {
		long end = System.nanoTime() + longest.toNanos();
		boolean met = condition.getAsBoolean();
		while (!met && System.nanoTime() - end < 0 && !Interrupt.requested()) {
			LockSupport.parkNanos(STEP);
			met = condition.getAsBoolean();
		}
		return met;
	}

	/**
	 * Waits for the given time.
	 */
	static void pass(Duration length) {
		until(length, () -> false);
	}

}
