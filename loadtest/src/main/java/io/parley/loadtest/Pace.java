package io.parley.loadtest;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.loadtest.cli.Interrupt;

/**
 * An even pace that does not slow down when the other side does: the time of step n is
 * fixed beforehand, and latency is measured from there.
 *
 * @param start {@link System#nanoTime()} of step 0
 * @param perSecond steps a second, above 0
 */
record Pace(long start, double perSecond) {

	private static final long LONGEST_PARK = TimeUnit.MILLISECONDS.toNanos(50);

	static Pace startingNow(double perSecond) {
		return new Pace(System.nanoTime(), perSecond);
	}

	/** When step n should happen. */
	long intended(long n) {
		return this.start + (long) (n * (TimeUnit.SECONDS.toNanos(1) / this.perSecond));
	}

	/**
	 * Waits for step n; returns at once when it is late, or when the run is to end.
	 * Answers when it should be.
	 */
	long await(long n) {
		long intended = intended(n);
		long left = intended - System.nanoTime();
		while (left > 0 && !Interrupt.requested()) {
			LockSupport.parkNanos(Math.min(left, LONGEST_PARK));
			left = intended - System.nanoTime();
		}
		return intended;
	}

}
