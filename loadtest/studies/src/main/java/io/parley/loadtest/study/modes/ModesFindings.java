package io.parley.loadtest.study.modes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Study.Findings;
import io.parley.loadtest.study.server.ProcessWatch.Use;
import org.jspecify.annotations.Nullable;

/**
 * Collects the results of each mode.
 */
final class ModesFindings {

	private final List<Step> steps = new ArrayList<>();

	private final List<Step> above = new ArrayList<>();

	private final List<List<Object>> ceilings = new ArrayList<>();

	private final List<Metric> ceilingMetrics = new ArrayList<>();

	private final Map<String, String> notRun = new LinkedHashMap<>();

	private final ModesOptions options;

	ModesFindings(ModesOptions options) {
		this.options = options;
	}

	/**
	 * Adds a result at a configured rate.
	 */
	void add(Step step) {
		this.steps.add(step);
	}

	/**
	 * Adds a result at a rate above the configured ones, in the search for the ceiling.
	 */
	void addAbove(Step step) {
		this.above.add(step);
	}

	/**
	 * Adds the ceiling of a mode.
	 * @param good the step at the highest rate that held, or null when there is none
	 * @param bad the step at the lowest rate that did not hold
	 */
	void ceiling(Mode mode, @Nullable Step good, Step bad) {
		this.ceilings.add(List.of(mode.name(), (good != null) ? good.asked() : 0.0,
				(good != null) ? Figures.cents(good.result().delivering().p99()) : "", bad.asked(), bad.reason()));
		this.ceilingMetrics.add(new Metric(mode.name() + " ceiling", (good != null) ? good.asked() : 0.0,
				"deliveries/s", Better.HIGHER));
	}

	void notRun(Mode mode, @Nullable String reason) {
		this.notRun.put(mode.name(), String.valueOf(reason).lines().findFirst().orElse(""));
	}

	Findings get() {
		List<Part> parts = new ArrayList<>();
		parts.add(table("The same load for each", this.steps, true));
		if (!this.above.isEmpty()) {
			parts.add(table("Rates above, up to the ceiling", this.above, false));
		}
		if (!this.ceilings.isEmpty()) {
			parts.add(new Table("Ceilings", List.of("mode", "held, deliveries/s", "p99 ms", "not held", "limit"),
					List.copyOf(this.ceilings), "Not held: p99 above 1 s, or a delivery missing or wrong."));
		}
		parts.add(chart("99th percentile"));
		List<Step> bad = this.steps.stream().filter((step) -> !step.mode().isReference() && !isRight(step)).toList();
		boolean passed = bad.isEmpty() && !this.steps.isEmpty();
		return new Findings("Broker modes: %,d sessions in %,d rooms, server, broker and generator on one machine"
			.formatted(this.options.sessions, this.options.rooms), passed, verdict(passed, bad), metrics(), parts);
	}

	/**
	 * High latency is a result; lost, doubled, misplaced or refused messages are
	 * failures.
	 */
	private static boolean isRight(Step step) {
		return step.result().passed();
	}

	private String verdict(boolean passed, List<Step> bad) {
		StringBuilder verdict = new StringBuilder(
				passed ? "modes, nothing was lost, doubled or out of order" : "modes");
		bad.forEach((step) -> verdict
			.append("; %s at %,.0f deliveries/s: %s".formatted(step.mode().name(), step.asked(), step.reason())));
		this.notRun.forEach((mode, reason) -> verdict.append("; %s not run: %s".formatted(mode, reason)));
		return verdict.append('.').toString();
	}

	private Table table(String title, List<Step> rows, boolean whole) {
		List<List<Object>> cells = new ArrayList<>(rows.stream().map(ModesFindings::row).toList());
		if (whole) {
			this.notRun.forEach((mode, reason) -> cells
				.add(List.of(mode, "not run: " + reason, "", "", "", "", "", "", "", "", "", "", "", "", "")));
		}
		return new Table(
				title, List.of("mode", "asked/s", "got/s", "p50 ms", "p90", "p99", "max", "errors", "lost",
						"server cores", "server MB", "KB/session", "broker cores", "broker MB", "generator cores"),
				cells,
				"From the scheduled time of each SEND to each MESSAGE. KB/session: live heap above the empty server's,"
						+ " for 500 sessions or more. The textbook's server has no storage, no sign-in and no"
						+ " receipts.");
	}

	private static List<Object> row(Step step) {
		Use broker = step.broker();
		return List.of(step.mode().name(), step.asked(), Figures.whole(step.result().deliveriesPerSecond()),
				Figures.cents(step.result().delivering().p50()), Figures.cents(step.result().delivering().p90()),
				Figures.cents(step.result().delivering().p99()), Figures.cents(step.result().delivering().max()),
				step.result().errorCount(), step.result().lost(), Figures.cents(step.server().cores()),
				Figures.megabytes(step.server().residentKb()),
				(step.heapPerSession() > 0) ? Figures.whole(step.heapPerSession()) : "",
				(broker != null) ? Figures.cents(broker.cores()) : "",
				(broker != null) ? Figures.megabytes(broker.residentKb()) : "", Figures.cents(step.result().cores()));
	}

	private Chart chart(String title) {
		Map<String, List<Step>> byMode = new LinkedHashMap<>();
		List.of(this.steps, this.above)
			.forEach((list) -> list
				.forEach((step) -> byMode.computeIfAbsent(step.mode().name(), (name) -> new ArrayList<>()).add(step)));
		List<Series> series = byMode.entrySet()
			.stream()
			.map((entry) -> new Series(entry.getKey(), entry.getValue().stream().map(Step::asked).toList(),
					entry.getValue().stream().map((step) -> step.result().delivering().p99()).toList()))
			.toList();
		return new Chart(title, new Axis("deliveries asked per second", true), new Axis("p99, ms", true), series);
	}

	private List<Metric> metrics() {
		List<Metric> metrics = new ArrayList<>();
		this.steps.forEach((step) -> {
			String name = "%s at %.0f/s ".formatted(step.mode().name(), step.asked());
			metrics.add(new Metric(name + "p99", step.result().delivering().p99(), "ms", Better.LOWER));
			metrics.add(new Metric(name + "delivered", step.result().deliveriesPerSecond(), "1/s", Better.HIGHER));
		});
		metrics.addAll(this.ceilingMetrics);
		return metrics;
	}

}
