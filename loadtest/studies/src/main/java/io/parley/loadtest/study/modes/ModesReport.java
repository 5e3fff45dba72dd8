package io.parley.loadtest.study.modes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.server.ProcessUsage.Use;
import org.jspecify.annotations.Nullable;

/**
 * Collects the results of each mode.
 */
final class ModesReport {

	private static final List<String> COLUMNS = List.of("mode", "asked/s", "got/s", "p50 ms", "p90", "p99", "max",
			"errors", "lost", "server cores", "server MB", "KB/session", "broker cores", "broker MB",
			"generator cores");

	private final List<Step> steps = new ArrayList<>();

	private final List<Step> above = new ArrayList<>();

	private final List<List<Object>> ceilings = new ArrayList<>();

	private final Map<String, String> notRun = new LinkedHashMap<>();

	private final ModesCommand options;

	ModesReport(ModesCommand options) {
		this.options = options;
	}

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
	void ceiling(@Nullable Step good, Step bad) {
		this.ceilings.add(List.of(bad.mode().name(), (good != null) ? good.asked() : 0.0,
				(good != null) ? Figures.cents(good.result().delivering().p99()) : "", bad.asked(), bad.reason()));
	}

	void notRun(Mode mode, @Nullable String reason) {
		this.notRun.put(mode.name(), String.valueOf(reason).lines().findFirst().orElse(""));
	}

	Findings findings() {
		// High latency is a result; lost, doubled, misplaced or refused messages are
		// failures.
		List<Step> bad = this.steps.stream()
			.filter((step) -> !step.mode().isReference() && !step.result().passed())
			.toList();
		boolean passed = bad.isEmpty() && !this.steps.isEmpty();
		Findings findings = new Findings(
				"Broker modes: %,d sessions in %,d rooms, server, broker and generator on one machine"
					.formatted(this.options.sessions, this.options.rooms),
				passed, verdict(passed, bad));
		table(findings, "The same load for each", this.steps, this.notRun);
		if (!this.above.isEmpty()) {
			table(findings, "Rates above, up to the ceiling", this.above, Map.of());
		}
		if (!this.ceilings.isEmpty()) {
			findings.table("Ceilings", List.of("mode", "held, deliveries/s", "p99 ms", "not held", "limit"),
					List.copyOf(this.ceilings), "Not held: p99 above 1 s, or a delivery missing or wrong.");
		}
		findings.chart("99th percentile", new Axis("deliveries asked per second", true), new Axis("p99, ms", true),
				series());
		this.steps.forEach((step) -> {
			String name = "%s at %.0f/s ".formatted(step.mode().name(), step.asked());
			findings.lower(name + "p99", step.result().delivering().p99(), "ms")
				.higher(name + "delivered", step.result().deliveriesPerSecond(), "1/s");
		});
		this.ceilings.forEach((row) -> findings.higher(row.get(0) + " ceiling", (Double) row.get(1), "deliveries/s"));
		return findings;
	}

	private String verdict(boolean passed, List<Step> bad) {
		StringBuilder verdict = new StringBuilder(
				passed ? "modes, nothing was lost, doubled or out of order" : "modes");
		bad.forEach((step) -> verdict
			.append("; %s at %,.0f deliveries/s: %s".formatted(step.mode().name(), step.asked(), step.reason())));
		this.notRun.forEach((mode, reason) -> verdict.append("; %s not run: %s".formatted(mode, reason)));
		return verdict.append('.').toString();
	}

	private static void table(Findings findings, String title, List<Step> steps, Map<String, String> notRun) {
		List<List<Object>> rows = new ArrayList<>(steps.stream().map(ModesReport::row).toList());
		notRun.forEach((mode, reason) -> rows
			.add(List.of(mode, "not run: " + reason, "", "", "", "", "", "", "", "", "", "", "", "", "")));
		findings.table(title, COLUMNS, rows,
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

	private List<Series> series() {
		return Stream.concat(this.steps.stream(), this.above.stream())
			.collect(Collectors.groupingBy((step) -> step.mode().name(), LinkedHashMap::new, Collectors.toList()))
			.entrySet()
			.stream()
			.map((entry) -> Findings.series(entry.getKey(), entry.getValue(), Step::asked,
					(step) -> step.result().delivering().p99()))
			.toList();
	}

}
