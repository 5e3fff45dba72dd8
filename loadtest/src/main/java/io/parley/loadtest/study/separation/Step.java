package io.parley.loadtest.study.separation;

import io.parley.loadtest.IdleResult;

/**
 * One design at one rate.
 *
 * @param accepted messages a second that were stored or in the log during the hold
 * @param pushes that FCM was asked for until the step ended
 */
record Step(Variant.Design design, double rate, double accepted, IdleResult result, long pushes) {

	private static final double BEHIND_MILLIS = 10_000;

	/** Whether it cannot keep up: higher rates would only show how long queues grow. */
	boolean isBehind() {
		return !this.result.passed() || this.result.delivering().p99() > BEHIND_MILLIS;
	}

}
