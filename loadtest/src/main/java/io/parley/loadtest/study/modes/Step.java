package io.parley.loadtest.study.modes;

import io.parley.loadtest.IdleResult;
import io.parley.loadtest.local.ProcessWatch.Use;
import org.jspecify.annotations.Nullable;

/**
 * One mode at one rate.
 *
 * @param asked deliveries a second
 * @param machine cores that were busy, with whatever; 0 where the system does not tell
 * @param heapPerSession live heap in KB above that of the empty server, for each session
 * @param broker null where there is none
 */
record Step(Mode mode, double rate, double asked, IdleResult result, double machine, Use server, double heapPerSession,
		@Nullable Use broker) {

	private static final double MAX_MILLIS = 1000;

	/** Above this share of the machine the processor is what is short. */
	private static final double BUSY = 0.85;

	/** What the system itself needs while nobody does anything, with a margin. */
	private static final double NOTHING = 0.1;

	/** Whether it did what was asked: all delivered, and most of it soon. */
	boolean isGood() {
		return this.result.passed() && this.result.delivering().p99() <= MAX_MILLIS;
	}

	/** What was wrong with a step that is not good, and what was used up then. */
	String reason() {
		int cores = Runtime.getRuntime().availableProcessors();
		double own = this.result.cores() + this.server.cores() + brokerCores();
		double others = Math.max(0, this.machine - own);
		String spent = "of %d cores the server took %.2f, the generator %.2f%s%s".formatted(cores, this.server.cores(),
				this.result.cores(), (this.broker != null) ? ", the broker %.2f".formatted(brokerCores()) : "",
				(others > NOTHING) ? ", the rest of the machine %.2f".formatted(others) : "");
		return wrong() + "; " + ((own + others >= BUSY * cores) ? "the processor is used up: " : "") + spent;
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
		return (this.result.delivering().p99() > MAX_MILLIS)
				? "p99 was %,.0f ms".formatted(this.result.delivering().p99()) : "sessions were closed or silent";
	}

	private double brokerCores() {
		return (this.broker != null) ? this.broker.cores() : 0;
	}

}
