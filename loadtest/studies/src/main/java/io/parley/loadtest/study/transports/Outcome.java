package io.parley.loadtest.study.transports;

import java.util.Locale;
import java.util.Map;

/**
 * The result of a cell.
 *
 * @param connectSeconds until all clients were connected
 * @param seconds from the first message to the last delivery or the abort; including the
 * connection time if the experiment measures it
 * @param arrived correct deliveries
 * @param problems failures, with their numbers
 * @param end how the round ended
 */
record Outcome(Cell cell, double connectSeconds, double seconds, long arrived, Map<String, Integer> problems, End end) {

	/**
	 * The ways a round can end.
	 */
	enum End {

		/**
		 * All deliveries arrived.
		 */
		COMPLETE,
		/**
		 * There was a failure.
		 */
		FAILED,
		/**
		 * The time limit was reached.
		 */
		OUT_OF_TIME,
		/**
		 * The run was interrupted by Ctrl-C.
		 */
		INTERRUPTED

	}

	boolean isComplete() {
		return this.end == End.COMPLETE;
	}

	/**
	 * Returns the seconds of a complete round, or a description of how it ended.
	 */
	Object displayValue() {
		if (isComplete()) {
			return Math.round(this.seconds * 1000) / 1000.0;
		}
		String progress = String.format(Locale.ROOT, "after %.0f s at %,d of %,d", this.seconds, this.arrived,
				this.cell.deliveries());
		return (this.end == End.FAILED) ? "failed " + progress + " " + this.problems : "stopped " + progress;
	}

}
