package io.parley.loadtest.study.contention;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.study.Findings;

/**
 * Creates the results table, which includes the figures of the original study.
 */
final class ContentionReport {

	private static final List<String> COLUMNS = List.of("way", "samples", "mean ms", "median", "90 %", "95 %", "99 %",
			"min", "max", "error %", "joined a run", "wrong", "seed's mean ms", "seed's error %");

	private static final List<Double> PERCENTILES = List.of(1.0, 25.0, 50.0, 75.0, 90.0, 95.0, 99.0, 100.0);

	private static final String HOW = "Each way runs as a server in a separate process with a heap of 512 MB, a pool"
			+ " of 16 connections and the same kind of database. The five ways use a minimal HTTP server with two"
			+ " tables; Parley is the complete product, with sign-in and an event for each join in its log. After each"
			+ " run the members are compared with the answers to the users. The seed's times are from other hardware.";

	private final ContentionCommand options;

	private final List<Result> results;

	ContentionReport(ContentionCommand options, Map<JoinStrategy, List<JoinRun>> runs) {
		this.options = options;
		this.results = runs.entrySet()
			.stream()
			.map((entry) -> Result.of(entry.getKey(), entry.getValue(), options.dropped))
			.toList();
	}

	/**
	 * The runs of one strategy.
	 *
	 * @param timed the runs without the dropped ones
	 * @param millis duration of each timed request, ascending
	 */
	private record Result(JoinStrategy strategy, List<JoinRun> all, List<JoinRun> timed, List<Double> millis) {

		static Result of(JoinStrategy strategy, List<JoinRun> all, int dropped) {
			List<JoinRun> timed = all.stream().skip(dropped).toList();
			return new Result(strategy, all, timed,
					timed.stream().flatMap((run) -> run.millis().stream()).sorted().toList());
		}

		/**
		 * Only SERIALIZABLE may fail requests. A wrong answer is always a failure.
		 */
		boolean isPassed() {
			return wrong() == 0 && (this.strategy == JoinStrategy.SERIALIZABLE
					|| this.all.stream().allMatch((run) -> run.errors().isEmpty()));
		}

		long wrong() {
			return this.all.stream().mapToLong((run) -> run.wrong().size()).sum();
		}

		int errors() {
			return this.timed.stream().mapToInt(JoinRun::failed).sum();
		}

		double mean() {
			return this.millis.stream().mapToDouble(Double::doubleValue).average().orElse(0);
		}

		double percentile(double percent) {
			int index = (int) Math.ceil(percent / 100 * this.millis.size()) - 1;
			return this.millis.isEmpty() ? 0 : this.millis.get(Math.max(0, index));
		}

		List<Object> row() {
			List<Object> row = new ArrayList<>(List.of(this.strategy.title, this.millis.size(), round(mean())));
			DoubleStream.of(50, 90, 95, 99, 0, 100).forEach((percent) -> row.add(round(percentile(percent))));
			row.add(this.millis.isEmpty() ? 0.0 : round(100.0 * errors() / this.millis.size()));
			row.add(round(this.timed.stream().mapToInt(JoinRun::joined).average().orElse(0)));
			row.add(wrong());
			row.addAll(this.strategy.published);
			return row;
		}

		Series series() {
			return Findings.series(this.strategy.title, PERCENTILES, Double::doubleValue, this::percentile);
		}

	}

	Findings findings() {
		Findings findings = new Findings("Joining a room of few places at once",
				this.results.stream().allMatch(Result::isPassed), verdict());
		this.results.forEach((result) -> findings.lower("mean, " + result.strategy().title, round(result.mean()), "ms")
			.lower("99 %, " + result.strategy().title, round(result.percentile(99)), "ms")
			.lower("errors, " + result.strategy().title, result.errors(), ""));
		return findings
			.table("Joining a room of %d places, %d users within %d ms".formatted(this.options.places,
					this.options.users, this.options.within.toMillis()), COLUMNS,
					this.results.stream().map(Result::row).toList(),
					"The first %d of %d runs are checked, but not timed.".formatted(this.options.dropped,
							this.options.runs))
			.chart("Duration of joining", new Axis("per cent of the requests", false), new Axis("ms", true),
					this.results.stream().map(Result::series).toList())
			.note("How it was measured", HOW);
	}

	private String verdict() {
		long requests = this.results.stream()
			.flatMap((result) -> result.all().stream())
			.mapToLong((run) -> run.millis().size())
			.sum();
		long wrong = this.results.stream().mapToLong(Result::wrong).sum();
		String means = this.results.stream()
			.map((result) -> String.format(Locale.ROOT, "%s %.1f", result.strategy().title, result.mean()))
			.collect(Collectors.joining(", "));
		return String.format(Locale.ROOT, "Mean time to join in ms: %s; in %,d requests %s.", means, requests,
				(wrong == 0) ? "capacity was never exceeded and no join was lost" : wrong + " answers were wrong");
	}

	private static double round(double value) {
		return Math.round(value * 10) / 10.0;
	}

}
