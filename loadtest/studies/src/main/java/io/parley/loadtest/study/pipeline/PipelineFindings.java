package io.parley.loadtest.study.pipeline;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Study.Findings;

/**
 * Collects the results of all passages.
 */
final class PipelineFindings {

	private final List<Passage> passages = new ArrayList<>();

	void add(Passage passage) {
		this.passages.add(passage);
	}

	Findings get() {
		boolean passed = !this.passages.isEmpty() && this.passages.stream().allMatch((one) -> one.result().isWhole());
		List<Metric> metrics = new ArrayList<>();
		this.passages.forEach((one) -> {
			PairResult result = one.result();
			metrics.add(new Metric(one.title() + ": accepted",
					perSecond(result.messages().accepted(), result.seconds().accepted()), "1/s", Better.HIGHER));
			metrics.add(new Metric(one.title() + ": stored",
					perSecond(result.messages().stored(), result.seconds().stored()), "1/s", Better.HIGHER));
		});
		return new Findings("From SEND through the log to the receiver and the database", passed, verdict(passed),
				metrics, List.<Part>of(table(), ledger(), latencies(), chart(), note()));
	}

	private String verdict(boolean passed) {
		StringBuilder verdict = new StringBuilder(passed ? "pipeline, sent = accepted = stored = delivered"
				: "pipeline, not all that was sent was accepted, stored and delivered once and in order");
		this.passages.forEach((one) -> {
			verdict
				.append("; %s: %,d, %,d missing".formatted(one.title(), one.result().messages().sent(), missing(one)));
			one.result().errors().forEach((kind, count) -> verdict.append(", %,d × %s".formatted(count, kind)));
		});
		return verdict.append('.').toString();
	}

	private static long missing(Passage passage) {
		PairResult.Steps<Long> messages = passage.result().messages();
		return messages.sent() - messages.accepted() + passage.result().missing();
	}

	private Table table() {
		List<List<Object>> rows = new ArrayList<>();
		for (Passage passage : this.passages) {
			rows.add(row(passage));
			Seed seed = (passage.pairs() == 1) ? Seed.ONE : Seed.PAIRS;
			if (passage.result().messages().sent() < seed.messages()) {
				rows.add(extrapolated(passage, seed));
			}
			rows.add(seed.cells());
		}
		return new Table("Messages through each step",
				List.of("run", "messages", "sent in s", "sent/s", "accepted/s", "received in s", "received/s",
						"stored in s", "stored/s", "not received", "CPU % avg", "CPU % max", "heap MB", "threads",
						"classes"),
				rows,
				"CPU: share of the whole machine used by the server's process, which includes"
						+ " chat-server, log, workers and database. Received and stored count from the first SEND."
						+ " The rate of a receiver is limited by the rate of its sender.");
	}

	private static List<Object> row(Passage passage) {
		PairResult.Steps<Long> messages = passage.result().messages();
		PairResult.Steps<Double> seconds = passage.result().seconds();
		int cores = Runtime.getRuntime().availableProcessors();
		return List.of(passage.title(), messages.sent(), Figures.cents(seconds.sent()),
				perSecond(messages.sent(), seconds.sent()), perSecond(messages.accepted(), seconds.accepted()),
				Figures.cents(seconds.delivered()), perSecond(messages.delivered(), seconds.delivered()),
				Figures.cents(seconds.stored()), perSecond(messages.stored(), seconds.stored()), missing(passage),
				Figures.whole(100 * passage.server().cores() / cores),
				Figures.whole(100 * passage.server().maxCores() / cores), passage.jvm().heapMb(),
				passage.jvm().threads(), passage.jvm().classes());
	}

	/**
	 * Returns a row with the time that as many messages as in the original document would
	 * take at the same rates.
	 */
	private static List<Object> extrapolated(Passage passage, Seed seed) {
		double times = seed.messages() / Math.max(1, passage.result().messages().sent());
		PairResult.Steps<Double> seconds = passage.result().seconds();
		return List.of("the same, extrapolated, not run", (long) seed.messages(), Figures.whole(seconds.sent() * times),
				perSecond(passage.result().messages().sent(), seconds.sent()), "",
				Figures.whole(seconds.delivered() * times), "", Figures.whole(seconds.stored() * times), "", "", "", "",
				"", "", "");
	}

	private Table ledger() {
		return new Table("Ledger",
				List.of("run", "sent", "accepted", "stored", "delivered", "of these from history", "missing", "doubled",
						"out of order"),
				this.passages.stream()
					.map((one) -> List.<Object>of(one.title(), one.result().messages().sent(),
							one.result().messages().accepted(), one.result().messages().stored(),
							one.result().messages().delivered(), one.result().lookedUp(), missing(one),
							one.result().doubled(), one.result().misplaced()))
					.toList(),
				"Each message is checked by its own number, without sampling: accepted by its RECEIPT,"
						+ " delivered by its MESSAGE (or read from the history after a gap event), stored by"
						+ " reading the whole history over REST when the lag of the persistence-worker is 0, with"
						+ " an unbroken chain of positions, prev and numbers.");
	}

	private Table latencies() {
		return new Table("Under this load, ms",
				List.of("run", "SEND to RECEIPT p50", "p99", "max", "SEND to MESSAGE p50", "p99", "max"),
				this.passages.stream()
					.map((one) -> List.<Object>of(one.title(), Figures.cents(one.result().accepting().p50()),
							Figures.cents(one.result().accepting().p99()),
							Figures.cents(one.result().accepting().max()),
							Figures.cents(one.result().delivering().p50()),
							Figures.cents(one.result().delivering().p99()),
							Figures.cents(one.result().delivering().max())))
					.toList(),
				"At the maximum rate with a window: these latencies reflect the window, not the speed at lower load.");
	}

	private Chart chart() {
		List<Series> series = this.passages.stream().map((one) -> {
			PairResult.Steps<Double> seconds = one.result().seconds();
			PairResult.Steps<Long> messages = one.result().messages();
			return new Series(one.title(), List.of(1.0, 2.0, 3.0, 4.0),
					List.of(perSecond(messages.sent(), seconds.sent()),
							perSecond(messages.accepted(), seconds.accepted()),
							perSecond(messages.delivered(), seconds.delivered()),
							perSecond(messages.stored(), seconds.stored())));
		}).toList();
		return new Chart("Messages a second through each step",
				new Axis("1 sent, 2 accepted, 3 delivered, 4 stored", false), new Axis("messages/s", false), series);
	}

	private static Note note() {
		return new Note("Comparison",
				"The document sent 1,000,000 messages by one JMeter sender, and 100,000,000 by 200 to 200 receivers,"
						+ " through ActiveMQ 5.7. Here every message is also checked for its sender's permission,"
						+ " synced to the log before its RECEIPT, stored in H2 and considered for a push. The"
						+ " extrapolated row shows the time that the document's number would take at the rate"
						+ " measured; it was not run.");
	}

	private static double perSecond(long messages, double seconds) {
		return (seconds > 0) ? Math.rint(messages / seconds) : 0;
	}

}
