package io.parley.loadtest.study.separation;

import io.parley.loadtest.idle.IdleResult;

/**
 * The result of one design at one rate.
 *
 * @param accepted messages per second that were stored, or appended to the log, during
 * the hold
 * @param pushes push requests to FCM until the end of the step
 */
record Step(Design design, double rate, double accepted, IdleResult result, long pushes) {

	private static final double BEHIND_MILLIS = 10_000;

	/**
	 * Returns whether the design did not keep up. Higher rates would then only show
	 * growing queues.
	 */
	boolean isBehind() {
		return !this.result.passed() || this.result.delivering().p99() > BEHIND_MILLIS;
	}

}
