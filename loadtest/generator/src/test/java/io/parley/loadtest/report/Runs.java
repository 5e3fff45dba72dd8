package io.parley.loadtest.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;

/**
 * Sample runs for reports.
 */
final class Runs {

	/**
	 * A time that is on the same day in nearly all time zones.
	 */
	static final Instant START = Instant.parse("2026-11-21T10:00:00Z");

	private Runs() {
	}

	/**
	 * A run with one part of each kind.
	 */
	static RunReport whole(String title) {
		Table table = new Table("Levels", List.of("users", "average", "error"),
				List.of(List.of(100, 9.25, "0 %"), List.of(3000, 694.125, "26 %"), List.of(5000, "", "")),
				"Five runs.");
		Chart chart = new Chart("Knee", new Axis("users", true), new Axis("milliseconds", false),
				List.of(new Series("average", List.of(100.0, 3000.0), List.of(9.25, 694.125))));
		return run(title, true, List.of(metric("sessions", 19000, Better.HIGHER), metric("p99", 7.5, Better.LOWER)),
				List.of(table, chart, new Note("Reading", "All on one machine.")));
	}

	static RunReport run(String title, boolean passed, List<Metric> metrics, List<Part> parts) {
		return new RunReport("study", title, "./chat loadtest study --users 100", START, Duration.ofMillis(61_500),
				passed, "19,000 sessions held, nothing was lost.", metrics, Environment.facts(), parts);
	}

	static RunReport measured(Metric... metrics) {
		return run("Measured", true, List.of(metrics), List.of());
	}

	static Metric metric(String name, double value, Better better) {
		return new Metric(name, value, "ms", better);
	}

}
