package io.parley.loadtest.study.pipeline;

import java.util.Map;

import io.parley.loadtest.idle.IdleResult.Latency;

/**
 * The outcome of the messages of pairs.
 *
 * @param from the time of the first send, as {@link System#nanoTime()}
 * @param to the time of the last delivery, or of giving up, as {@link System#nanoTime()}
 * @param seconds from the first message until each step was complete
 * @param messages that completed each step
 * @param lookedUp messages within a gap reported to a slow receiver, found in the history
 * @param missing accepted messages that are not stored, and stored messages that were not
 * delivered
 * @param doubled messages that were delivered or stored twice
 * @param misplaced messages that were delivered or stored out of order
 */
record PairResult(long from, long to, Steps<Double> seconds, Steps<Long> messages, long lookedUp, long missing,
		long doubled, long misplaced, Latency accepting, Latency delivering, Map<String, Long> errors) {

	/**
	 * One value for each step.
	 */
	record Steps<T>(T sent, T accepted, T delivered, T stored) {
	}

	/**
	 * Returns whether sent = accepted = stored = delivered, each once and in order,
	 * without errors.
	 */
	boolean isWhole() {
		long sent = this.messages.sent();
		return sent > 0 && this.messages.accepted() == sent && this.messages.stored() == sent
				&& this.messages.delivered() == sent && this.missing == 0 && this.doubled == 0 && this.misplaced == 0
				&& this.errors.isEmpty();
	}

}
