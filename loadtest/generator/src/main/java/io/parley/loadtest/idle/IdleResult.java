package io.parley.loadtest.idle;

import java.util.Map;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.measure.Measures;
import org.HdrHistogram.Histogram;

/**
 * The result of one trial.
 *
 * @param passed whether the trial had no failure of any kind
 * @param held sessions that were connected until the end
 * @param from the start of the hold, as {@link System#nanoTime()}; 0 when it did not
 * start
 * @param to the end of the hold, as {@link System#nanoTime()}
 * @param cores that the generator used during the hold
 * @param acceptedPerSecond receipts per second during the hold; 0 where the server sends
 * none
 * @param deliveriesPerSecond during the hold
 * @param starting delay of the generator itself
 * @param lost deliveries that had not arrived when the trial ended
 * @param doubled deliveries that arrived twice
 * @param misplaced deliveries that arrived out of order or after a gap
 * @param errors the number of errors of each kind
 */
public record IdleResult(boolean passed, long held, long from, long to, double cores, long sent,
		double acceptedPerSecond, double deliveriesPerSecond, Latency starting, Latency accepting, Latency delivering,
		long lost, long doubled, long misplaced, Map<String, Long> errors) {

	/**
	 * Percentiles and maximum in milliseconds.
	 */
	public record Latency(long count, double p50, double p90, double p99, double max) {

		public static Latency of(Histogram micros) {
			return new Latency(micros.getTotalCount(), micros.getValueAtPercentile(50) / 1000.0,
					micros.getValueAtPercentile(90) / 1000.0, micros.getValueAtPercentile(99) / 1000.0,
					micros.getMaxValue() / 1000.0);
		}

	}

	public static IdleResult of(boolean passed, long held, IdleLoad.Hold hold, Measures measures) {
		long misplaced = measures.count(Verdict.OUT_OF_ORDER) + measures.count(Verdict.GAP)
				+ measures.count(Verdict.BROKEN_CHAIN);
		return new IdleResult(passed, held, hold.from(), hold.to(), hold.cores(), measures.sent.sum(),
				hold.acceptedPerSecond(), hold.deliveriesPerSecond(), Latency.of(measures.starting),
				Latency.of(measures.accepting), Latency.of(measures.delivering), measures.lost.sum(),
				measures.duplicates(), misplaced, measures.errors());
	}

	/**
	 * Returns the number of errors of all kinds, including closed sessions.
	 */
	public long errorCount() {
		return this.errors.values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Returns whether messages were sent and no delivery was lost, doubled or misplaced.
	 */
	public boolean isWhole() {
		return this.lost == 0 && this.doubled == 0 && this.misplaced == 0 && this.sent > 0;
	}

}
