package io.parley.loadtest.study.modes;

import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.study.server.ProcessUsage.Use;
import org.jspecify.annotations.Nullable;

/**
 * The result of one mode at one rate.
 *
 * @param asked deliveries per second
 * @param machine busy cores of the whole machine; 0 where the system does not report it
 * @param heapPerSession live heap in KB above that of the empty server, per session
 * @param broker null if there is none
 */
record Step(Mode mode, double rate, double asked, IdleResult result, double machine, Use server, double heapPerSession,
		@Nullable Use broker) {

	private static final double MAX_P99_MILLIS = 1000;

	/** Share of the machine above which the processor is the limiting resource. */
	private static final double BUSY = 0.85;

	/** Cores that an idle system uses, with a margin. */
	private static final double IDLE_CORES = 0.1;

	boolean isGood() {
		return this.result.passed() && this.result.delivering().p99() <= MAX_P99_MILLIS;
	}

	String reason() {
		int cores = Runtime.getRuntime().availableProcessors();
		double own = this.result.cores() + this.server.cores() + brokerCores();
		double others = Math.max(0, this.machine - own);
		String spent = "of %d cores the server used %.2f, the generator %.2f%s%s".formatted(cores, this.server.cores(),
				this.result.cores(), (this.broker != null) ? ", the broker %.2f".formatted(brokerCores()) : "",
				(others > IDLE_CORES) ? ", the rest of the machine %.2f".formatted(others) : "");
		return wrong() + "; " + ((own + others >= BUSY * cores) ? "the processor is saturated: " : "") + spent;
	}

	private String wrong() {
		if (this.result.errorCount() > 0) {
			return "%,d errors, such as \"%s\"".formatted(this.result.errorCount(),
					this.result.errors().keySet().iterator().next());
		}
		if (!this.result.isWhole()) {
			return "%,d deliveries missing at the end, %,d doubled, %,d out of place".formatted(this.result.lost(),
					this.result.doubled(), this.result.misplaced());
		}
		return (this.result.delivering().p99() > MAX_P99_MILLIS)
				? "p99 was %,.0f ms".formatted(this.result.delivering().p99()) : "sessions were closed or silent";
	}

	private double brokerCores() {
		return (this.broker != null) ? this.broker.cores() : 0;
	}

}
