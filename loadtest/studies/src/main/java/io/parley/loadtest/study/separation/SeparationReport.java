package io.parley.loadtest.study.separation;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import io.parley.fakefcm.Counts;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.study.Findings;
import org.jspecify.annotations.Nullable;

/**
 * Collects the results of both designs.
 */
final class SeparationReport {

	private static final List<String> COLUMNS = List.of("design", "asked/s", "accepted/s", "p50 ms", "p99 ms", "max ms",
			"errors", "all delivered", "push requests");

	private final List<Step> steps = new ArrayList<>();

	private final SeparationCommand options;

	/** Pushes of the last design, if it kept up with all rates. */
	private @Nullable Counts pushed;

	SeparationReport(SeparationCommand options) {
		this.options = options;
	}

	void add(Step step) {
		this.steps.add(step);
		this.pushed = null;
	}

	void pushed(Counts counts) {
		this.pushed = counts;
	}

	Findings findings() {
		List<Step> log = of(Design.LOG);
		boolean passed = !log.isEmpty() && log.stream().allMatch((step) -> step.result().passed())
				&& hasEveryDeviceAPush();
		Findings findings = new Findings(
				"Storing and pushing on the path of a message, or behind the log: %,d rooms with %,d online and %,d offline members each, FCM latency %,d ms"
					.formatted(this.options.rooms, this.options.online, this.options.away, this.options.fcmLatency),
				passed, verdict());
		for (Design design : Design.values()) {
			findings.higher(design.title + ", kept up with", sustainedRate(design), "messages/s");
		}
		log.forEach((step) -> findings.lower("%s at %s/s p99".formatted(step.design().title, number(step.rate())),
				step.result().delivering().p99(), "ms"));
		return findings
			.table("The same messages for both", COLUMNS, this.steps.stream().map(this::row).toList(),
					"From the scheduled time of each SEND to each MESSAGE. Accepted: in the log and confirmed by a"
							+ " RECEIPT; inline, which has no receipts, stored and forwarded. Pushes: until the end of"
							+ " the step; the worker notifies a device of many messages at once.")
			.chart("From SEND to MESSAGE", new Axis("messages asked per second", true), new Axis("ms", true),
					Stream.of(Design.values()).flatMap(this::series).toList())
			.note("Comparison",
					"The original document of Parley found that saving to the database in a transaction and calling"
							+ " FCM for each offline member, one blocking round trip each, made group rooms slow, and"
							+ " announced figures from before and after, which were never published. Inline is that"
							+ " design on Spring's defaults (two threads for each core handle messages), with the same"
							+ " H2 file database and the same fake FCM.");
	}

	private boolean hasEveryDeviceAPush() {
		Counts counts = this.pushed;
		return this.options.away == 0 || (counts != null && counts.distinctTokens() == this.options.devices());
	}

	private List<Step> of(Design design) {
		return this.steps.stream().filter((step) -> step.design() == design).toList();
	}

	/**
	 * Returns the highest rate that a design kept up with; 0 if there is none.
	 */
	private double sustainedRate(Design design) {
		return of(design).stream().filter((step) -> !step.isBehind()).mapToDouble(Step::rate).max().orElse(0);
	}

	private String verdict() {
		Counts counts = this.pushed;
		String pushes = (counts != null && this.options.away > 0)
				? ", %,d of %,d devices got a push".formatted(counts.distinctTokens(), this.options.devices()) : "";
		return "separation, inline keeps up with %s messages/s, log and workers with %s%s%s.".formatted(
				number(sustainedRate(Design.INLINE)), number(sustainedRate(Design.LOG)),
				(sustainedRate(Design.LOG) == this.options.rates.getLast()) ? " (not tried higher)" : "", pushes);
	}

	private static String number(double rate) {
		return (rate == Math.rint(rate)) ? Long.toString((long) rate) : Double.toString(rate);
	}

	private List<Object> row(Step step) {
		long wanted = step.result().sent() * this.options.online;
		long missing = step.result().lost();
		return List.of(step.design().title, step.rate(), Figures.cents(step.accepted()),
				Figures.cents(step.result().delivering().p50()), Figures.cents(step.result().delivering().p99()),
				Figures.cents(step.result().delivering().max()), step.result().errorCount(),
				(missing == 0) ? "yes" : "%,d of %,d were missing after %d s".formatted(missing, wanted,
						this.options.load.drain.toSeconds()),
				step.pushes());
	}

	private Stream<Series> series(Design design) {
		return Stream.of(
				Findings.series(design.title + ", p50", of(design), Step::rate,
						(step) -> step.result().delivering().p50()),
				Findings.series(design.title + ", p99", of(design), Step::rate,
						(step) -> step.result().delivering().p99()));
	}

}
