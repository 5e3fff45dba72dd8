package io.parley.loadtest.ledger;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.trial.ConsoleReport;
import org.HdrHistogram.Histogram;

/**
 * Formats the ledger of a run.
 */
record LedgerReport(ConsoleReport console, SendLedger ledger, Measures measures, LedgerCounts counts) {

	void print(boolean passed, String title) {
		this.console.title(passed, title);
		this.console.line("");
		messages().forEach(this::row);
		this.console.line("%-40s %,d ms", "longest pause without a receipt", this.ledger.longestPauseMillis());
		this.console.line("");
		connections().forEach(this::row);
		times("caught up after the loss", this.measures.resuming);
		times("caught up after the reconnect began", this.measures.catchingUp);
		row("seen again after a retry (allowed)", this.counts.doubledByRetry);
		row("reported gaps without a loss (allowed)", this.counts.emptyGaps);
		row("recovered: false (then history)", this.counts.notRecovered);
		this.console.line("%-40s p50 %.1f ms, p99 %.1f ms", "accepted (intended to RECEIPT)",
				Latencies.millis(this.measures.accepting, 50), Latencies.millis(this.measures.accepting, 99));
		this.measures.errors().forEach((kind, count) -> this.console.line("  %,8d × %s", count, kind));
	}

	Table table() {
		List<List<Object>> rows = Stream.of(messages(), connections())
			.flatMap((counted) -> counted.entrySet().stream())
			.map((row) -> List.<Object>of(row.getKey(), row.getValue()))
			.toList();
		return new Table("Ledger", List.of("messages", "count"), rows, "");
	}

	String verdict(boolean cut) {
		if (Interrupt.requested()) {
			return "Interrupted, so not passed: these figures cover only the part that ran.";
		}
		String found = String.format(Locale.ROOT,
				"%,d messages acknowledged, %,d in the history, %,d lost, %,d duplicated, %,d missed by a follower, %,d seen twice",
				this.ledger.acknowledged().size(), this.counts.inHistory, this.counts.lost, this.counts.duplicated,
				this.counts.missed + this.counts.gaps, this.counts.phantoms);
		return found + (cut ? String.format(Locale.ROOT, "; %,d connections cut, %,d caught up.",
				this.measures.cut.sum(), this.measures.resuming.getTotalCount()) : ".");
	}

	private Map<String, Number> messages() {
		Map<String, Number> messages = new LinkedHashMap<>();
		messages.put("attempted", this.ledger.attempted().size());
		messages.put("acknowledged", this.ledger.acknowledged().size());
		messages.put("unknown, then retried", this.ledger.repeated().size());
		messages.put("refused, then retried", this.ledger.rejected.sum());
		messages.put("in the history", this.counts.inHistory);
		messages.put("lost", this.counts.lost);
		messages.put("duplicated", this.counts.duplicated);
		messages.put("unexpected", this.counts.unexpected);
		messages.put("out of order", this.counts.outOfOrder);
		messages.put("missed by a follower, silently", this.counts.missed);
		messages.put("missed by a follower, reported as gap", this.counts.gaps);
		messages.put("seen twice or without a reason", this.counts.phantoms);
		return messages;
	}

	private Map<String, Number> connections() {
		Map<String, Number> connections = new LinkedHashMap<>();
		connections.put("connections", this.measures.established.sum());
		connections.put("connections cut by this kit", this.measures.cut.sum());
		connections.put("missed events that were replayed", this.counts.replayed);
		return connections;
	}

	private void times(String name, Histogram micros) {
		if (micros.getTotalCount() > 0) {
			this.console.line("%-40s p50 %.1f ms, p99 %.1f ms, max %.1f ms", name, Latencies.millis(micros, 50),
					Latencies.millis(micros, 99), Latencies.millis(micros, 100));
		}
	}

	private void row(String name, Number count) {
		this.console.line("%-40s %,d", name, count);
	}

}
