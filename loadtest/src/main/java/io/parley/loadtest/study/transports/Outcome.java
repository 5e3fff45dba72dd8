package io.parley.loadtest.study.transports;

import java.util.Locale;
import java.util.Map;

/**
 * What became of a cell.
 *
 * @param connectSeconds until all clients were connected
 * @param seconds from the first message to the last delivery, or until it was stopped;
 * with connecting where that belongs to the experiment
 * @param arrived deliveries that were right
 * @param problems what went wrong, and how often
 * @param end how it ended
 */
record Outcome(Cell cell, double connectSeconds, double seconds, long arrived, Map<String, Integer> problems, End end) {

	/** How a round ends. */
	enum End {

		/** Everything arrived. */
		COMPLETE,
		/** Something was wrong. */
		FAILED,
		/** The time was up. */
		OUT_OF_TIME,
		/** Somebody pressed Ctrl-C. */
		INTERRUPTED

	}

	boolean isComplete() {
		return this.end == End.COMPLETE;
	}

	/** The seconds, or what happened instead. */
	Object shown() {
		if (isComplete()) {
			return Math.round(this.seconds * 1000) / 1000.0;
		}
		String progress = String.format(Locale.ROOT, "after %.0f s at %,d of %,d", this.seconds, this.arrived,
				this.cell.deliveries());
		return (this.end == End.FAILED) ? "failed " + progress + " " + this.problems : "stopped " + progress;
	}

}
