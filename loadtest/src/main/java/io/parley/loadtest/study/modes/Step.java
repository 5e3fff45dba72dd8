package io.parley.loadtest.study.modes;

import io.parley.loadtest.IdleResult;
import io.parley.loadtest.local.ProcessWatch.Use;
import org.jspecify.annotations.Nullable;

/**
 * One mode at one rate.
 *
 * @param asked deliveries a second
 * @param heapPerSession live heap in KB above that of the empty server, for each session
 * @param broker null where there is none
 */
record Step(Mode mode, double rate, double asked, IdleResult result, Use server, double heapPerSession,
		@Nullable Use broker) {

	private static final double MOST_MILLIS = 1000;

	/** Above this share of the machine the processor is what is short. */
	private static final double BUSY = 0.85;

	/** Whether it did what was asked: all delivered, and most of it soon. */
	boolean isGood() {
		return this.result.passed() && this.result.delivering().p99() <= MOST_MILLIS;
	}

	/** What was wrong with a step that is not good, and what was used up then. */
	String reason() {
		int cores = Runtime.getRuntime().availableProcessors();
		double used = this.result.cores() + this.server.cores() + brokerCores();
		String spent = "of %d cores the server took %.2f, the generator %.2f%s".formatted(cores, this.server.cores(),
				this.result.cores(), (this.broker != null) ? ", the broker %.2f".formatted(brokerCores()) : "");
		return wrong() + "; " + ((used >= BUSY * cores) ? "the processor is used up: " : "") + spent;
	}

	private String wrong() {
		if (this.result.errorCount() > 0) {
			return "%,d errors, as \"%s\"".formatted(this.result.errorCount(),
					this.result.errors().keySet().iterator().next());
		}
		if (!this.result.isWhole()) {
			return "%,d deliveries missing in the end, %,d doubled, %,d out of place".formatted(this.result.lost(),
					this.result.doubled(), this.result.misplaced());
		}
		return (this.result.delivering().p99() > MOST_MILLIS)
				? "p99 was %,.0f ms".formatted(this.result.delivering().p99()) : "sessions were closed or silent";
	}

	private double brokerCores() {
		return (this.broker != null) ? this.broker.cores() : 0;
	}

}
