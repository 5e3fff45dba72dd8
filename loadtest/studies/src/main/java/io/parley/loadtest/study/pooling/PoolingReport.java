package io.parley.loadtest.study.pooling;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.pooling.ClosedLoop.Level;

/**
 * Creates the results table, which includes the figures of the original study.
 */
final class PoolingReport {

	private static final List<String> COLUMNS = List.of("users", "without: avg ms", "rate/s", "p99 ms", "error %",
			"with: avg ms", "rate/s", "p99 ms", "error %", "gain", "seed without: avg ms", "rate/s",
			"seed with: avg ms", "rate/s", "seed's gain");

	private static final Map<Integer, List<Object>> PUBLISHED = Map.of(10, List.of(21, 453.2, 11, 841.8, "+85 %"), 20,
			List.of(46, 429.4, 26, 737.7, "+72 %"), 50, List.of(113, 440.7, 68, 728.0, "+65 %"), 100,
			List.of(207, 482.0, 127, 784.3, "+62 %"));

	private static final String HOW = "Each user requests the newest messages of one room, again as soon as the answer"
			+ " has arrived, over a persistent connection; every answer is compared with the first one. With the pool"
			+ " the server has at most 16 connections to the database (HikariCP); without it each transaction opens"
			+ " one and closes it. The seed pooled clients of a search server, on other hardware.";

	private final List<Level> single;

	private final List<Level> pooled;

	PoolingReport(List<Level> single, List<Level> pooled) {
		this.single = single;
		this.pooled = pooled;
	}

	Findings findings() {
		List<Level> all = Stream.concat(this.single.stream(), this.pooled.stream()).toList();
		long failed = all.stream().mapToLong(Level::failed).sum();
		Findings findings = new Findings("The history without and with a pool of connections", failed == 0,
				verdict(all, failed));
		this.single.forEach((level) -> metric(findings, "without pool", level));
		this.pooled.forEach((level) -> metric(findings, "with pool", level));
		return findings
			.table("The history without and with a pool of connections", COLUMNS,
					IntStream.range(0, this.single.size()).mapToObj(this::row).toList(),
					"The seed's figures are from other hardware.")
			.chart("Answers by users", new Axis("users", false), new Axis("1/s", false),
					List.of(series("without pool", this.single), series("with pool", this.pooled)))
			.note("How it was measured", HOW);
	}

	private List<Object> row(int n) {
		Level without = this.single.get(n);
		List<Object> row = new ArrayList<>(List.of(without.users()));
		row.addAll(figures(without));
		row.addAll((n < this.pooled.size()) ? figures(this.pooled.get(n)) : List.of("", "", "", ""));
		row.add((n < this.pooled.size()) ? gain(n) : "");
		row.addAll(PUBLISHED.getOrDefault(without.users(), List.of("", "", "", "", "")));
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

	private String verdict(List<Level> all, long failed) {
		String gains = IntStream.range(0, this.pooled.size())
			.mapToObj((n) -> gain(n) + " with " + this.pooled.get(n).users() + " users")
			.collect(Collectors.joining(", "));
		return String.format(Locale.ROOT, "%s%,d answers were correct, %,d were not.",
				gains.isEmpty() ? "" : "Change of the answers per second with the pool: " + gains + "; ",
				all.stream().mapToLong((level) -> level.micros().getTotalCount()).sum(), failed);
	}

	private static void metric(Findings findings, String name, Level level) {
		findings.higher("answers " + name + ", " + level.users() + " users", Figures.cents(level.rate()), "1/s");
	}

	private static Series series(String name, List<Level> levels) {
		return Findings.series(name, levels, Level::users, (level) -> Figures.cents(level.rate()));
	}

}
