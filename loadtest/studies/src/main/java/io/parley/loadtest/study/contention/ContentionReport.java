package io.parley.loadtest.study.contention;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;

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
final class ContentionReport {

	private static final List<String> COLUMNS = List.of("way", "samples", "mean ms", "median", "90 %", "95 %", "99 %",
			"min", "max", "error %", "joined a run", "wrong", "seed's mean ms", "seed's error %");

	private static final double[] PERCENTILES = { 1, 25, 50, 75, 90, 95, 99, 100 };

	private static final String HOW = "Each way runs as a server in a separate process with a heap of 512 MB, a pool"
			+ " of 16 connections and the same kind of database. The five ways use a minimal HTTP server with two"
			+ " tables; Parley is the complete product, with sign-in and an event for each join in its log. After each"
			+ " run the members are compared with the answers to the users. The seed's times are from other hardware.";

	private final ContentionOptions options;

	private final Map<Way, List<Rush>> rushes;

	ContentionReport(ContentionOptions options, Map<Way, List<Rush>> rushes) {
		this.options = options;
		this.rushes = rushes;
	}

	Findings findings() {
		boolean passed = this.rushes.entrySet().stream().allMatch(this::isFine);
		List<List<Object>> rows = this.rushes.entrySet().stream().map((entry) -> row(entry.getKey())).toList();
		Table table = new Table(
				"Joining a room of %d places, %d users within %d ms".formatted(this.options.places, this.options.users,
						this.options.within.toMillis()),
				COLUMNS, rows, "The first %d of %d runs are checked, but not timed.".formatted(this.options.dropped,
						this.options.runs));
		List<Series> series = this.rushes.keySet().stream().map((way) -> {
			List<Double> millis = millis(way);
			return new Series(way.title, DoubleStream.of(PERCENTILES).boxed().toList(),
					DoubleStream.of(PERCENTILES).map((percent) -> percentile(millis, percent)).boxed().toList());
		}).toList();
		Chart chart = new Chart("Duration of joining", new Axis("per cent of the requests", false),
				new Axis("ms", true), series);
		return new Findings("Joining a room of few places at once", passed, verdict(), metrics(),
				List.of(table, chart, new Note("How it was measured", HOW)));
	}

	/**
	 * Only SERIALIZABLE may fail requests. A wrong answer is always a failure.
	 */
	private boolean isFine(Map.Entry<Way, List<Rush>> entry) {
		return entry.getValue()
			.stream()
			.allMatch((rush) -> rush.wrong().isEmpty()
					&& (entry.getKey() == Way.SERIALIZABLE || rush.errors().isEmpty()));
	}

	private List<Object> row(Way way) {
		List<Double> millis = millis(way);
		List<Rush> timed = timed(way);
		List<Object> row = new ArrayList<>(List.of(way.title, millis.size(), round(mean(millis))));
		for (double percent : new double[] { 50, 90, 95, 99, 0, 100 }) {
			row.add(round(percentile(millis, percent)));
		}
		int errors = timed.stream().mapToInt(Rush::failed).sum();
		row.add(millis.isEmpty() ? 0.0 : round(100.0 * errors / millis.size()));
		row.add(round(timed.stream().mapToInt(Rush::joined).average().orElse(0)));
		row.add(wrong(way));
		row.addAll(way.seed());
		return row;
	}

	private String verdict() {
		long requests = this.rushes.values()
			.stream()
			.flatMap(List::stream)
			.mapToLong((rush) -> rush.millis().size())
			.sum();
		long wrong = this.rushes.keySet().stream().mapToLong(this::wrong).sum();
		List<String> means = this.rushes.keySet()
			.stream()
			.map((way) -> String.format(Locale.ROOT, "%s %.1f", way.title, mean(millis(way))))
			.toList();
		return String.format(Locale.ROOT, "Mean time to join in ms: %s; in %,d requests %s.", String.join(", ", means),
				requests,
				(wrong == 0) ? "capacity was never exceeded and no join was lost" : wrong + " answers were wrong");
	}

	private List<Metric> metrics() {
		List<Metric> metrics = new ArrayList<>();
		for (Way way : this.rushes.keySet()) {
			List<Double> millis = millis(way);
			metrics.add(new Metric("mean, " + way.title, round(mean(millis)), "ms", Better.LOWER));
			metrics.add(new Metric("99 %, " + way.title, round(percentile(millis, 99)), "ms", Better.LOWER));
			metrics.add(new Metric("errors, " + way.title, timed(way).stream().mapToInt(Rush::failed).sum(), "",
					Better.LOWER));
		}
		return metrics;
	}

	private long wrong(Way way) {
		return this.rushes.getOrDefault(way, List.of()).stream().mapToLong((rush) -> rush.wrong().size()).sum();
	}

	private List<Rush> timed(Way way) {
		return this.rushes.getOrDefault(way, List.of()).stream().skip(this.options.dropped).toList();
	}

	private List<Double> millis(Way way) {
		return timed(way).stream().flatMap((rush) -> rush.millis().stream()).sorted().toList();
	}

	private static double mean(List<Double> millis) {
		return millis.stream().mapToDouble(Double::doubleValue).average().orElse(0);
	}

	/**
	 * Returns a percentile of ascending values; 0 per cent is the smallest value.
	 */
	private static double percentile(List<Double> millis, double percent) {
		int index = (int) Math.ceil(percent / 100 * millis.size()) - 1;
		return millis.isEmpty() ? 0 : millis.get(Math.max(0, index));
	}

	private static double round(double value) {
		return Math.round(value * 10) / 10.0;
	}

}
