package io.parley.loadtest;

import java.util.Map;

import io.parley.loadtest.SubscriptionCheck.Verdict;
import org.HdrHistogram.Histogram;

/**
 * What one trial found.
 *
 * @param passed whether nothing at all went wrong
 * @param held how many sessions were there to the end
 * @param from when the hold began, {@link System#nanoTime()}; 0 when it did not
 * @param to when the hold ended
 * @param cores that this process needed during the hold
 * @param acceptedPerSecond receipts during the hold; 0 where the server sends none
 * @param deliveriesPerSecond during the hold
 * @param starting how late this process itself was
 * @param lost deliveries that had not come when the trial ended
 * @param doubled deliveries that came twice
 * @param misplaced deliveries that came out of order, or after a gap
 * @param errors how often each kind of error came up
 */
public record IdleResult(boolean passed, long held, long from, long to, double cores, long sent,
		double acceptedPerSecond, double deliveriesPerSecond, Latency starting, Latency accepting, Latency delivering,
		long lost, long doubled, long misplaced, Map<String, Long> errors) {

	/** Milliseconds. */
	public record Latency(long count, double p50, double p90, double p99, double max) {

		static Latency of(Histogram micros) {
			return new Latency(micros.getTotalCount(), micros.getValueAtPercentile(50) / 1000.0,
					micros.getValueAtPercentile(90) / 1000.0, micros.getValueAtPercentile(99) / 1000.0,
					micros.getMaxValue() / 1000.0);
		}

	}

	static IdleResult of(boolean passed, long held, IdleLoad.Hold hold, Measures measures) {
		long misplaced = measures.count(Verdict.OUT_OF_ORDER) + measures.count(Verdict.GAP)
				+ measures.count(Verdict.BROKEN_CHAIN);
		return new IdleResult(passed, held, hold.from(), hold.to(), hold.cores(), measures.sent.sum(),
				hold.acceptedPerSecond(), hold.deliveriesPerSecond(), Latency.of(measures.starting),
				Latency.of(measures.accepting), Latency.of(measures.delivering), measures.lost.sum(),
				measures.duplicates(), misplaced, measures.errors());
	}

	/** How many errors of all kinds, with sessions that were closed. */
	public long errorCount() {
		return this.errors.values().stream().mapToLong(Long::longValue).sum();
	}

	/** Whether nothing was lost, doubled or misplaced. */
	public boolean isWhole() {
		return this.lost == 0 && this.doubled == 0 && this.misplaced == 0 && this.sent > 0;
	}

}
