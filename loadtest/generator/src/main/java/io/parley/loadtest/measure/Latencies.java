package io.parley.loadtest.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * Formats histograms of microseconds for a report.
 */
public final class Latencies {

	private static final int STEPS_TO_EACH_HALF = 5;

	private static final List<String> COLUMNS = List.of("milliseconds", "p50", "p90", "p95", "p99", "p99.9", "max",
			"count");

	private Latencies() {
	}

	public static double millis(Histogram micros, double percentile) {
		return micros.getValueAtPercentile(percentile) / 1000.0;
	}

	/**
	 * Returns a table with a row for each histogram.
	 */
	public static Table table(String title, Map<String, Histogram> histograms) {
		List<List<Object>> rows = histograms.entrySet().stream().map((one) -> {
			Histogram micros = one.getValue();
			return List.<Object>of(one.getKey(), millis(micros, 50), millis(micros, 90), millis(micros, 95),
					millis(micros, 99), millis(micros, 99.9), millis(micros, 100), micros.getTotalCount());
		}).toList();
		return new Table(title, COLUMNS, rows,
				"From the intended time: delays of this generator and of the server both count as latency.");
	}

	/**
	 * Returns a chart with a line for each histogram: the latency of the slowest one of
	 * 10, 100, 1,000. Returns no chart for no histograms.
	 */
	public static List<Chart> spectrum(String title, Map<String, Histogram> histograms) {
		List<Series> lines = histograms.entrySet().stream().map((one) -> line(one.getKey(), one.getValue())).toList();
		return lines.isEmpty() ? List.of() : List.of(new Chart(title,
				new Axis("one of so many is slower, 1 / (1 - percentile)", true), new Axis("ms", false), lines));
	}

	private static Series line(String name, Histogram micros) {
		List<Double> x = new ArrayList<>();
		List<Double> y = new ArrayList<>();
		for (HistogramIterationValue step : micros.copy().percentiles(STEPS_TO_EACH_HALF)) {
			double percentile = step.getPercentileLevelIteratedTo();
			if (percentile < 100) {
				x.add(1 / (1 - percentile / 100));
				y.add(step.getValueIteratedTo() / 1000.0);
			}
		}
		return new Series(name, x, y);
	}

}
