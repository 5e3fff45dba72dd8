package io.parley.loadtest.trial;

import java.io.PrintStream;
import java.util.Locale;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Measures;
import org.HdrHistogram.Histogram;

/**
 * Prints the results of a run.
 */
public final class Report {

	private final PrintStream out;

	private final Measures measures;

	public Report(PrintStream out, Measures measures) {
		this.out = out;
		this.measures = measures;
	}

	/**
	 * Prints the title line with the verdict.
	 */
	public void title(boolean passed, String title) {
		line("%s: %s", passed ? "PASSED" : Interrupt.requested() ? "INTERRUPTED" : "FAILED", title);
	}

	public void latencies() {
		line("");
		line("%-34s %9s %9s %9s %9s %9s %10s", "milliseconds", "p50", "p90", "p95", "p99", "max", "count");
		latency("started late by this generator", this.measures.starting);
		latency("connected", this.measures.connecting);
		latency("subscribed", this.measures.subscribing);
		latency("whole session", this.measures.whole);
		latency("accepted (SEND to RECEIPT)", this.measures.accepting);
		latency("delivered (SEND to each MESSAGE)", this.measures.delivering);
		line("");
	}

	/**
	 * Prints the held sessions, the messages and the errors.
	 * @param plain whether the server sends no receipts
	 */
	public void counts(int sessions, boolean plain, long held, double deliveriesPerSecond) {
		line("%-34s %,d of %,d", "sessions held", held, sessions);
		line("%-34s %,d", "unexpected closes", this.measures.unexpectedCloses.sum());
		line("%-34s %,d", "heart-beat misses", this.measures.heartBeatMisses.sum());
		String accepted = plain ? "" : String.format(Locale.ROOT, " %,d accepted,", this.measures.accepted.sum());
		line("%-34s %,d sent,%s %,d delivered, %,.0f/s during the hold", "messages", this.measures.sent.sum(), accepted,
				this.measures.delivered.sum(), deliveriesPerSecond);
		line("%-34s %,d lost, %,d duplicate%s", "checked on every delivery", this.measures.lost.sum(),
				this.measures.duplicates(), plain ? " (order cannot be checked)" : order());
		errors();
	}

	public void errors() {
		line("%-34s %,d", "errors", this.measures.errorCount());
		this.measures.errors().forEach((kind, count) -> line("  %,8d × %s", count, kind));
	}

	private String order() {
		return String.format(Locale.ROOT, ", %,d out of order, %,d gaps, %,d broken chains",
				this.measures.count(Verdict.OUT_OF_ORDER), this.measures.count(Verdict.GAP),
				this.measures.count(Verdict.BROKEN_CHAIN));
	}

	public void generator(double cores) {
		generator("this generator", Generator.heap(), cores);
	}

	public void generator(String name, Generator.Heap heap, double cores) {
		long mb = 1024 * 1024;
		line("%-34s heap %,d of %,d MB used, %.2f cores during the hold", name, heap.used() / mb, heap.most() / mb,
				cores);
		if (Generator.isSaturated(cores)) {
			line("%-34s %s", "", Generator.SATURATED);
		}
	}

	public void server(long emptyHeapKb, long liveHeapKb, long residentKb, int sessions) {
		line("server: RSS %,d MB, live heap %,d MB / sessions = %.1f KB (%.1f KB above the empty server's %,d MB)",
				residentKb / 1024, liveHeapKb / 1024, (double) liveHeapKb / sessions,
				(double) (liveHeapKb - emptyHeapKb) / sessions, emptyHeapKb / 1024);
	}

	private void latency(String name, Histogram micros) {
		if (micros.getTotalCount() > 0) {
			line("%-34s %9.2f %9.2f %9.2f %9.2f %9.2f %,10d", name, millis(micros, 50), millis(micros, 90),
					millis(micros, 95), millis(micros, 99), millis(micros, 100), micros.getTotalCount());
		}
	}

	private static double millis(Histogram micros, double percentile) {
		return micros.getValueAtPercentile(percentile) / 1000.0;
	}

	public void line(String format, Object... arguments) {
		this.out.println(String.format(Locale.ROOT, format, arguments));
	}

}
