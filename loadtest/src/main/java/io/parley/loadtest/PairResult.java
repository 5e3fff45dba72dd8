package io.parley.loadtest;

import java.util.Map;

import io.parley.loadtest.IdleResult.Latency;

/**
 * What became of the messages of pairs.
 *
 * @param from when the first was sent, {@link System#nanoTime()}
 * @param to when the last was received or given up
 * @param seconds until all of each step was done, from the first message on
 * @param messages how many came through each step
 * @param lookedUp messages that the receiver was told to look up, being too slow
 * @param missing accepted messages that are not stored, and stored ones that were not
 * delivered
 * @param doubled messages that came or were stored twice
 * @param misplaced that came or were stored out of order
 */
public record PairResult(long from, long to, Steps<Double> seconds, Steps<Long> messages, long lookedUp, long missing,
		long doubled, long misplaced, Latency accepting, Latency delivering, Map<String, Long> errors) {

	/** The same of each step. */
	public record Steps<T>(T sent, T accepted, T delivered, T stored) {
	}

	/** Whether sent = accepted = stored = delivered, each once and in order. */
	public boolean isWhole() {
		long sent = this.messages.sent();
		return sent > 0 && this.messages.accepted() == sent && this.messages.stored() == sent
				&& this.messages.delivered() == sent && this.missing == 0 && this.doubled == 0 && this.misplaced == 0
				&& this.errors.isEmpty();
	}

}
