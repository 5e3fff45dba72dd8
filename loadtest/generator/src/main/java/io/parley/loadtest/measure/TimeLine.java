package io.parley.loadtest.measure;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The state of a run in each second, for the console and for charts. Safe for use by many
 * threads.
 */
public final class TimeLine {

	private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

	/** Seconds between two lines when the console is not a terminal. */
	private static final int SECONDS_IN_A_LOG = 5;

	private final List<Second> seconds = new ArrayList<>();

	private final boolean terminal = System.console() != null && System.console().isTerminal();

	private final Measures measures;

	private final long start = System.nanoTime();

	private @Nullable Histogram recycled;

	private long last = this.start;

	private long sent;

	private long delivered;

	private String phase = "starting";

	private long phaseEnd = this.start;

	private int ticks;

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
	 * Starts a phase of the run with its expected duration.
	 */
	public synchronized void phase(String name, Duration expected) {
		this.phase = name;
		this.phaseEnd = System.nanoTime() + expected.toNanos();
	}

	/**
	 * Takes a sample and prints the progress: every second at a terminal, every five
	 * seconds in a log. Must be called about once a second.
	 */
	public synchronized void tick(long target) {
		sample(target);
		if (!this.terminal && this.ticks++ % SECONDS_IN_A_LOG != 0) {
			return;
		}
		long now = System.nanoTime();
		Duration left = Duration.ofNanos(this.phaseEnd - now);
		long turnedAway = this.measures.turnedAway.sum();
		System.out
			.println(String.format(Locale.ROOT, "%4d s  %-10s live %,d of %,d  errors %,d  sent %,d  delivered %,d%s%s",
					TimeUnit.NANOSECONDS.toSeconds(now - this.start), this.phase, this.measures.live.sum(), target,
					this.measures.errorCount(), this.measures.sent.sum(), this.measures.delivered.sum(),
					(turnedAway > 0) ? "  turned away %,d".formatted(turnedAway) : "",
					(left.toSeconds() > 0) ? "  " + Figures.left(left) : ""));
	}

	/**
	 * Takes a sample. Must be called about once a second.
	 */
	public synchronized void sample(long target) {
		long now = System.nanoTime();
		double elapsed = (now - this.last) / NANOS_PER_SECOND;
		long sentNow = this.measures.sent.sum();
		long deliveredNow = this.measures.delivered.sum();
		Histogram delivering = this.measures.deliveringSinceLastCall(this.recycled);
		this.seconds.add(new Second((now - this.start) / NANOS_PER_SECOND, target, this.measures.live.sum(),
				this.measures.errorCount(), (sentNow - this.sent) / elapsed, (deliveredNow - this.delivered) / elapsed,
				millis(delivering, 50), millis(delivering, 99)));
		this.recycled = delivering;
		this.last = now;
		this.sent = sentNow;
		this.delivered = deliveredNow;
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
		return new Chart(title, new Axis("seconds", false), new Axis(y, false), List.of(series));
	}

	/**
	 * Seconds without deliveries have no latency and thus no point in the chart.
	 */
	private Series series(String name, ToDoubleFunction<Second> value) {
		return Series.of(name,
				this.seconds.stream().filter((second) -> !Double.isNaN(value.applyAsDouble(second))).toList(),
				Second::at, value);
	}

	private static double millis(Histogram micros, double percentile) {
		return (micros.getTotalCount() > 0) ? Latencies.millis(micros, percentile) : Double.NaN;
	}

}
