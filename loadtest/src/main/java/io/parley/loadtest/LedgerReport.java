package io.parley.loadtest;

import java.io.PrintStream;
import java.util.Locale;

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

	void print(boolean passed, LedgerOptions options, String run, LedgerCounts counts) {
		line("");
		line("%s: ledger, %s messages/s for %d s by %,d users in %,d rooms (run %s)", passed ? "PASSED" : "FAILED",
				options.rate, options.duration.toSeconds(), options.users, options.rooms, run);
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
		row("missed by a follower, who was told", counts.gaps);
		row("seen twice or without a reason", counts.phantoms);
		line("%-40s %,d ms", "longest pause without a receipt", this.ledger.longestPauseMillis());
		line("");
		row("connections", this.measures.established.sum());
		row("seen again after a retry (allowed)", counts.doubledByRetry);
		row("told of gaps that were none (allowed)", counts.emptyGaps);
		row("recovered: false (then history)", counts.notRecovered);
		line("%-40s p50 %.1f ms, p99 %.1f ms", "accepted (intended to RECEIPT)",
				this.measures.accepting.getValueAtPercentile(50) / 1000.0,
				this.measures.accepting.getValueAtPercentile(99) / 1000.0);
		this.measures.errors().forEach((kind, count) -> line("  %,8d × %s", count, kind));
	}

	void line(String format, Object... arguments) {
		this.out.println(String.format(Locale.ROOT, format, arguments));
	}

	private void row(String name, long count) {
		line("%-40s %,d", name, count);
	}

}
