package io.parley.loadtest.study;

import java.time.Duration;

import io.parley.loadtest.report.Figures;

/**
 * Prints the progress and the estimated remaining time before each step of a study.
 */
public final class Eta {

	private final long start = System.nanoTime();

	private final int steps;

	private final Duration expected;

	private int done;

	/**
	 * Starts the estimate.
	 * @param expected duration of a step, used until the first step is complete
	 */
	public Eta(int steps, Duration expected) {
		this.steps = steps;
		this.expected = expected;
	}

	/**
	 * Prints a line for the next step.
	 */
	public void next(String what) {
		Duration each = (this.done > 0) ? Duration.ofNanos(System.nanoTime() - this.start).dividedBy(this.done)
				: this.expected;
		Duration left = each.multipliedBy(Math.max(1, this.steps - this.done));
		this.done++;
		System.out.printf("%n=== %d of %d: %s (%s)%n", this.done, Math.max(this.done, this.steps), what,
				Figures.left(left));
	}

}
