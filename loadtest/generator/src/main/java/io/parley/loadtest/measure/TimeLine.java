package io.parley.loadtest.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run in each second. Safe for use by many threads.
 */
public final class TimeLine {

	private static final Axis SECONDS = new Axis("seconds", false);

	private final List<Second> seconds = new ArrayList<>();

	private final Measures measures;

	private final long start = System.nanoTime();

	private @Nullable Histogram recycled;

	private long last = this.start;

	private long sent;

	private long delivered;

	/**
	 * One sample.
	 *
	 * @param at seconds since the start
	 * @param target number of sessions that should be connected
	 * @param errors total so far
	 * @param p50 of the deliveries since the last sample in milliseconds, NaN without any
	 * @param p99 of the same deliveries
	 */
	private record Second(double at, double target, double live, double errors, double sentPerSecond,
			double deliveredPerSecond, double p50, double p99) {
	}

	public TimeLine(Measures measures) {
		this.measures = measures;
	}

	/**
	 * Takes a sample. Must be called about once a second.
	 */
	public synchronized void sample(long target) {
		long now = System.nanoTime();
		double elapsed = (now - this.last) / (double) TimeUnit.SECONDS.toNanos(1);
		long sentNow = this.measures.sent.sum();
		long deliveredNow = this.measures.delivered.sum();
		Histogram delivering = this.measures.deliveringSinceLastCall(this.recycled);
		this.seconds.add(new Second((now - this.start) / (double) TimeUnit.SECONDS.toNanos(1), target,
				this.measures.live.sum(), this.measures.errorCount(), (sentNow - this.sent) / elapsed,
				(deliveredNow - this.delivered) / elapsed, millis(delivering, 50), millis(delivering, 99)));
		this.recycled = delivering;
		this.last = now;
		this.sent = sentNow;
		this.delivered = deliveredNow;
	}

	/**
	 * Returns the duration of the run so far in seconds.
	 */
	long elapsedSeconds() {
		return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - this.start);
	}

	/**
	 * Returns charts over one time axis; empty before the second sample.
	 */
	public synchronized List<Chart> charts() {
		if (this.seconds.size() < 2) {
			return List.of();
		}
		return List.of(
				chart("Sessions over time", "sessions, errors so far", series("target", Second::target),
						series("live", Second::live), series("errors", Second::errors)),
				chart("Messages over time", "per second", series("published", Second::sentPerSecond),
						series("delivered", Second::deliveredPerSecond)),
				chart("Delivery over time", "ms from the intended SEND", series("p50", Second::p50),
						series("p99", Second::p99)));
	}

	private static Chart chart(String title, String y, Series... series) {
		return new Chart(title, SECONDS, new Axis(y, false), List.of(series));
	}

	/**
	 * Seconds without deliveries have no latency and thus no point in the chart.
	 */
	private Series series(String name, ToDoubleFunction<Second> value) {
		List<Second> known = this.seconds.stream()
			.filter((second) -> !Double.isNaN(value.applyAsDouble(second)))
			.toList();
		return new Series(name, known.stream().map(Second::at).toList(),
				known.stream().map(value::applyAsDouble).toList());
	}

	private static double millis(Histogram micros, double percentile) {
		return (micros.getTotalCount() > 0) ? micros.getValueAtPercentile(percentile) / 1000.0 : Double.NaN;
	}

}
