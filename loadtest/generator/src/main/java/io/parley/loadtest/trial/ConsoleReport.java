package io.parley.loadtest.trial;

import java.util.Locale;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;

/**
 * Prints the results of a run.
 */
public record ConsoleReport(Measures measures) {

	public void title(boolean passed, String title) {
		line("");
		line("%s: %s", passed ? "PASSED" : Interrupt.requested() ? "INTERRUPTED" : "FAILED", title);
	}

	public void latencies() {
		line("");
		line("%-34s %9s %9s %9s %9s %9s %10s", "milliseconds", "p50", "p90", "p95", "p99", "max", "count");
		this.measures.histograms().forEach((name, micros) -> {
			if (micros.getTotalCount() > 0) {
				line("%-34s %9.2f %9.2f %9.2f %9.2f %9.2f %,10d", name, Latencies.millis(micros, 50),
						Latencies.millis(micros, 90), Latencies.millis(micros, 95), Latencies.millis(micros, 99),
						Latencies.millis(micros, 100), micros.getTotalCount());
			}
		});
		line("");
	}

	/**
	 * Prints the held sessions, the messages and the errors.
	 * @param plain whether the server sends no receipts
	 */
	public void counts(int sessions, boolean plain, long held, double deliveriesPerSecond) {
		line("%-34s %,d of %,d", "sessions held", held, sessions);
		row("unexpected closes", this.measures.unexpectedCloses.sum());
		row("heart-beat misses", this.measures.heartBeatMisses.sum());
		String accepted = plain ? "" : String.format(Locale.ROOT, " %,d accepted,", this.measures.accepted.sum());
		line("%-34s %,d sent,%s %,d delivered, %,.0f/s during the hold", "messages", this.measures.sent.sum(), accepted,
				this.measures.delivered.sum(), deliveriesPerSecond);
		line("%-34s %,d lost, %,d duplicate%s", "checked on every delivery", this.measures.lost.sum(),
				this.measures.duplicates(), plain ? " (order cannot be checked)" : order());
		errors();
	}

	public void errors() {
		row("errors", this.measures.errorCount());
		this.measures.errors().forEach((kind, count) -> line("  %,8d × %s", count, kind));
	}

	private String order() {
		return String.format(Locale.ROOT, ", %,d out of order, %,d gaps, %,d broken chains",
				this.measures.count(Verdict.OUT_OF_ORDER), this.measures.count(Verdict.GAP),
				this.measures.count(Verdict.BROKEN_CHAIN));
	}

	/**
	 * Prints the resource use of the generator, and whether it was saturated.
	 */
	public void generator(String name, Generator.Heap heap, double cores) {
		long mb = 1024 * 1024;
		line("%-34s heap %,d of %,d MB used, %.2f cores during the hold", name, heap.used() / mb, heap.most() / mb,
				cores);
		if (Generator.isSaturated(cores)) {
			line("%-34s %s", "", Generator.SATURATED);
		}
	}

	private void row(String name, long count) {
		line("%-34s %,d", name, count);
	}

	public void line(String format, Object... arguments) {
		System.out.println(String.format(Locale.ROOT, format, arguments));
	}

}
