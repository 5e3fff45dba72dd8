package io.parley.loadtest.study.pooling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Study.Findings;

/**
 * Creates the results table, which includes the figures of the original study.
 */
final class PoolingReport {

	private static final List<String> COLUMNS = List.of("users", "without: avg ms", "rate/s", "p99 ms", "error %",
			"with: avg ms", "rate/s", "p99 ms", "error %", "gain", "seed without: avg ms", "rate/s",
			"seed with: avg ms", "rate/s", "seed's gain");

	private static final Map<Integer, List<Object>> SEED = Map.of(10, List.of(21, 453.2, 11, 841.8, "+85 %"), 20,
			List.of(46, 429.4, 26, 737.7, "+72 %"), 50, List.of(113, 440.7, 68, 728.0, "+65 %"), 100,
			List.of(207, 482.0, 127, 784.3, "+62 %"));

	private static final List<Object> NO_SEED = List.of("", "", "", "", "");

	private static final String HOW = "Each user requests the newest messages of one room, again as soon as the answer"
			+ " has arrived, over a persistent connection; every answer is compared with the first one. With the pool"
			+ " the server has at most 16 connections to the database (HikariCP); without it each transaction opens"
			+ " one and closes it. The seed pooled clients of a search server, on other hardware.";

	private final PoolingOptions options;

	private final List<Level> single;

	private final List<Level> pooled;

	PoolingReport(PoolingOptions options, List<Level> single, List<Level> pooled) {
		this.options = options;
		this.single = single;
		this.pooled = pooled;
	}

	Findings findings() {
		boolean passed = Stream.of(this.single, this.pooled)
			.flatMap(List::stream)
			.allMatch((level) -> level.failed() == 0);
		List<List<Object>> rows = new ArrayList<>();
		for (int n = 0; n < this.single.size(); n++) {
			rows.add(row(n));
		}
		Table table = new Table("The history without and with a pool of connections", COLUMNS, rows,
				"The seed's figures are from other hardware.");
		Chart chart = new Chart("Answers by users", new Axis("users", false), new Axis("1/s", false),
				List.of(series("without pool", this.single), series("with pool", this.pooled)));
		return new Findings("The history without and with a pool of connections", passed, verdict(), metrics(),
				List.of(table, chart, new Note("How it was measured", HOW)));
	}

	private List<Object> row(int n) {
		Level without = this.single.get(n);
		List<Object> row = new ArrayList<>(List.of(without.users()));
		row.addAll(figures(without));
		row.addAll((n < this.pooled.size()) ? figures(this.pooled.get(n)) : List.of("", "", "", ""));
		row.add((n < this.pooled.size()) ? gain(n) : "");
		row.addAll(SEED.getOrDefault(without.users(), NO_SEED));
		return row;
	}

	private static List<Object> figures(Level level) {
		return List.of(Figures.cents(level.mean()), Figures.cents(level.rate()), Figures.cents(level.p99()),
				Figures.cents(level.errorShare()));
	}

	private String gain(int n) {
		double without = this.single.get(n).rate();
		return (without > 0) ? String.format(Locale.ROOT, "%+.0f %%", 100 * (this.pooled.get(n).rate() / without - 1))
				: "";
	}

	private String verdict() {
		List<String> gains = new ArrayList<>();
		for (int n = 0; n < this.pooled.size(); n++) {
			gains.add(gain(n) + " with " + this.pooled.get(n).users() + " users");
		}
		long answers = Stream.of(this.single, this.pooled)
			.flatMap(List::stream)
			.mapToLong((level) -> level.micros().getTotalCount())
			.sum();
		long failed = Stream.of(this.single, this.pooled).flatMap(List::stream).mapToLong(Level::failed).sum();
		return String.format(Locale.ROOT, "%s%,d answers were correct, %,d were not.",
				gains.isEmpty() ? ""
						: "Change of the answers per second with the pool: " + String.join(", ", gains) + "; ",
				answers, failed);
	}

	private List<Metric> metrics() {
		List<Metric> metrics = new ArrayList<>();
		this.single.forEach((level) -> metrics.add(rate("without pool", level)));
		this.pooled.forEach((level) -> metrics.add(rate("with pool", level)));
		return metrics;
	}

	private static Metric rate(String name, Level level) {
		return new Metric("answers " + name + ", " + level.users() + " users", Figures.cents(level.rate()), "1/s",
				Better.HIGHER);
	}

	private static Series series(String name, List<Level> levels) {
		return new Series(name, levels.stream().map((level) -> (double) level.users()).toList(),
				levels.stream().map((level) -> Figures.cents(level.rate())).toList());
	}

}
