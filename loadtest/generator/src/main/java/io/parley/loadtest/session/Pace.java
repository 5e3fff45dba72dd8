package io.parley.loadtest.session;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.loadtest.cli.Interrupt;

/**
 * A constant pace that does not slow down with the server: the time of step n is fixed in
 * advance, and latency is measured from it.
 *
 * @param start {@link System#nanoTime()} of step 0
 * @param perSecond steps per second, above 0
 */
public record Pace(long start, double perSecond) {

	private static final long LONGEST_PARK = TimeUnit.MILLISECONDS.toNanos(50);

	public static Pace startingNow(double perSecond) {
		return new Pace(System.nanoTime(), perSecond);
	}

	/**
	 * Returns the scheduled time of step n, as {@link System#nanoTime()}.
	 */
	public long intended(long n) {
		return this.start + (long) (n * (TimeUnit.SECONDS.toNanos(1) / this.perSecond));
	}

	/**
	 * Waits for step n. Returns at once when the step is late or the run is interrupted.
	 * @return the scheduled time of the step, as {@link System#nanoTime()}
	 */
	public long await(long n) {
		return awaitTime(intended(n));
	}

	/**
	 * Waits for a time. Returns at once when it is over or the run is interrupted.
	 * @param intended as {@link System#nanoTime()}
	 * @return the same
	 */
	static long awaitTime(long intended) {
		long left = intended - System.nanoTime();
		while (left > 0 && !Interrupt.requested()) {
			LockSupport.parkNanos(Math.min(left, LONGEST_PARK));
			left = intended - System.nanoTime();
		}
		return intended;
	}

}
