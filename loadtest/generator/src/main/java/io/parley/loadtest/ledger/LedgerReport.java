package io.parley.loadtest.ledger;

import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.report.RunReport.Table;
import org.HdrHistogram.Histogram;

/** Prints the ledger of a run. */
final class LedgerReport {

	private final PrintStream out;

	private final SendLedger ledger;

	private final Measures measures;

	LedgerReport(PrintStream out, SendLedger ledger, Measures measures) {
		this.out = out;
		this.ledger = ledger;
		this.measures = measures;
	}

	void progress(long second, long live, int clients) {
		line("%4d s  live %,d of %,d  given %,d  attempted %,d  acknowledged %,d", second, live, clients,
				this.measures.sent.sum(), this.ledger.attempted().size(), this.ledger.acknowledged().size());
	}

	void print(boolean passed, String title, LedgerCounts counts) {
		line("");
		line("%s: %s", passed ? "PASSED" : Interrupt.requested() ? "INTERRUPTED" : "FAILED", title);
		line("");
		row("attempted", this.ledger.attempted().size());
		row("acknowledged", this.ledger.acknowledged().size());
		row("unknown, then retried", this.ledger.repeated().size());
		row("refused, then retried", this.ledger.refused.sum());
		row("in the history", counts.inHistory);
		row("lost", counts.lost);
		row("duplicated", counts.duplicated);
		row("unexpected", counts.unexpected);
		row("out of order", counts.outOfOrder);
		row("missed by a follower, silently", counts.missed);
		row("missed by a follower, reported as gap", counts.gaps);
		row("seen twice or without a reason", counts.phantoms);
		line("%-40s %,d ms", "longest pause without a receipt", this.ledger.longestPauseMillis());
		line("");
		row("connections", this.measures.established.sum());
		row("connections cut by this kit", this.measures.cut.sum());
		row("missed events that were replayed", counts.replayed);
		times("caught up after the loss", this.measures.resuming);
		times("caught up after the reconnect began", this.measures.catchingUp);
		row("seen again after a retry (allowed)", counts.doubledByRetry);
		row("reported gaps without a loss (allowed)", counts.emptyGaps);
		row("recovered: false (then history)", counts.notRecovered);
		line("%-40s p50 %.1f ms, p99 %.1f ms", "accepted (intended to RECEIPT)",
				this.measures.accepting.getValueAtPercentile(50) / 1000.0,
				this.measures.accepting.getValueAtPercentile(99) / 1000.0);
		this.measures.errors().forEach((kind, count) -> line("  %,8d × %s", count, kind));
	}

	/**
	 * Returns the counts for the report.
	 */
	Table table(LedgerCounts counts) {
		Map<String, Long> rows = new LinkedHashMap<>();
		rows.put("attempted", (long) this.ledger.attempted().size());
		rows.put("acknowledged", (long) this.ledger.acknowledged().size());
		rows.put("unknown, then retried", (long) this.ledger.repeated().size());
		rows.put("refused, then retried", this.ledger.refused.sum());
		rows.put("in the history", (long) counts.inHistory);
		rows.put("lost", (long) counts.lost);
		rows.put("duplicated", (long) counts.duplicated);
		rows.put("unexpected", (long) counts.unexpected);
		rows.put("out of order", (long) counts.outOfOrder);
		rows.put("missed by a follower, silently", (long) counts.missed);
		rows.put("missed by a follower, reported as gap", (long) counts.gaps);
		rows.put("seen twice or without a reason", (long) counts.phantoms);
		rows.put("connections", this.measures.established.sum());
		rows.put("connections cut by this kit", this.measures.cut.sum());
		rows.put("missed events that were replayed", (long) counts.replayed);
		return new Table("Ledger", List.of("messages", "count"),
				rows.entrySet().stream().map((row) -> List.<Object>of(row.getKey(), row.getValue())).toList(), "");
	}

	private void times(String name, Histogram micros) {
		if (micros.getTotalCount() > 0) {
			line("%-40s p50 %.1f ms, p99 %.1f ms, max %.1f ms", name, Latencies.millis(micros, 50),
					Latencies.millis(micros, 99), Latencies.millis(micros, 100));
		}
	}

	void line(String format, Object... arguments) {
		this.out.println(String.format(Locale.ROOT, format, arguments));
	}

	private void row(String name, long count) {
		line("%-40s %,d", name, count);
	}

}
