package io.parley.loadtest.study.pipeline;

import java.util.List;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.pipeline.PairResult.Steps;

/**
 * Creates the tables of the study.
 */
final class PipelineReport {

	private static final List<String> STEPS = List.of("run", "messages", "sent in s", "sent/s", "accepted/s",
			"received in s", "received/s", "stored in s", "stored/s", "not received", "CPU % avg", "CPU % max",
			"heap MB", "threads", "classes");

	private static final List<String> LEDGER = List.of("run", "sent", "accepted", "stored", "delivered",
			"of these from history", "missing", "doubled", "out of order");

	private static final List<String> LATENCIES = List.of("run", "SEND to RECEIPT p50", "p99", "max",
			"SEND to MESSAGE p50", "p99", "max");

	private final List<PipelineRun> runs;

	PipelineReport(List<PipelineRun> runs) {
		this.runs = runs;
	}

	Findings findings() {
		boolean passed = !this.runs.isEmpty() && this.runs.stream().allMatch((run) -> run.result().isWhole());
		Findings findings = new Findings("From SEND through the log to the receiver and the database", passed,
				verdict(passed));
		this.runs.forEach((run) -> findings.higher(run.title() + ": accepted", run.rates().accepted(), "1/s")
			.higher(run.title() + ": stored", run.rates().stored(), "1/s"));
		return findings
			.table("Messages through each step", STEPS,
					this.runs.stream().flatMap((run) -> run.steps().stream()).toList(),
					"CPU: share of the whole machine used by the server's process, which includes"
							+ " chat-server, log, workers and database. Received and stored count from the first SEND."
							+ " The rate of a receiver is limited by the rate of its sender.")
			.table("Ledger", LEDGER, this.runs.stream().map(PipelineRun::ledger).toList(),
					"Each message is checked by its own number, without sampling: accepted by its RECEIPT,"
							+ " delivered by its MESSAGE (or read from the history after a gap event), stored by"
							+ " reading the whole history over REST when the lag of the persistence-worker is 0, with"
							+ " an unbroken chain of positions, prev and numbers.")
			.table("Under this load, ms", LATENCIES, this.runs.stream().map(PipelineRun::latencies).toList(),
					"At the maximum rate with a window: these latencies reflect the window, not the speed at lower"
							+ " load.")
			.chart("Messages a second through each step", new Axis("1 sent, 2 accepted, 3 delivered, 4 stored", false),
					new Axis("messages/s", false), this.runs.stream().map(PipelineReport::series).toList())
			.note("Comparison",
					"The document sent 1,000,000 messages by one JMeter sender, and 100,000,000 by 200 to 200"
							+ " receivers, through ActiveMQ 5.7. Here every message is also checked for its sender's"
							+ " permission, synced to the log before its RECEIPT, stored in H2 and considered for a"
							+ " push. The extrapolated row shows the time that the document's number would take at the"
							+ " rate measured; it was not run.");
	}

	private String verdict(boolean passed) {
		StringBuilder verdict = new StringBuilder(passed ? "pipeline, sent = accepted = stored = delivered"
				: "pipeline, not all that was sent was accepted, stored and delivered once and in order");
		this.runs.forEach((run) -> {
			verdict.append("; %s: %,d, %,d missing".formatted(run.title(), run.messages().sent(), run.missing()));
			run.result().errors().forEach((kind, count) -> verdict.append(", %,d × %s".formatted(count, kind)));
		});
		return verdict.append('.').toString();
	}

	private static Series series(PipelineRun run) {
		Steps<Double> rates = run.rates();
		return new Series(run.title(), List.of(1.0, 2.0, 3.0, 4.0),
				List.of(rates.sent(), rates.accepted(), rates.delivered(), rates.stored()));
	}

}
