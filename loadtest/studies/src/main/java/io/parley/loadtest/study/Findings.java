package io.parley.loadtest.study;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

import io.parley.loadtest.report.RunReport.Axis;
import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;

/**
 * The results of a study so far.
 *
 * @param title one line for people
 * @param passed whether no message was lost, doubled, out of order or refused
 * @param verdict the result in one sentence
 * @param metrics the figures by which two runs are compared
 * @param parts in reading order; tables are also printed
 */
public record Findings(String title, boolean passed, String verdict, List<Metric> metrics, List<Part> parts) {

	/**
	 * Creates findings to which the metrics and the parts are added.
	 */
	public Findings(String title, boolean passed, String verdict) {
		this(title, passed, verdict, new ArrayList<>(), new ArrayList<>());
	}

	/**
	 * Adds a table.
	 * @param note a sentence below the table
	 */
	public Findings table(String title, List<String> columns, List<List<Object>> rows, String note) {
		this.parts.add(new Table(title, columns, rows, note));
		return this;
	}

	public Findings chart(String title, Axis x, Axis y, List<Series> series) {
		this.parts.add(new Chart(title, x, y, series));
		return this;
	}

	public Findings note(String title, String text) {
		this.parts.add(new Note(title, text));
		return this;
	}

	/**
	 * Adds a metric of which higher values are better.
	 */
	public Findings higher(String name, double value, String unit) {
		this.metrics.add(new Metric(name, value, unit, Better.HIGHER));
		return this;
	}

	/**
	 * Adds a metric of which lower values are better.
	 */
	public Findings lower(String name, double value, String unit) {
		this.metrics.add(new Metric(name, value, unit, Better.LOWER));
		return this;
	}

	/**
	 * Returns a line of a chart with a point for each result.
	 */
	public static <T> Series series(String name, Collection<T> results, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
		return new Series(name, results.stream().mapToDouble(x).boxed().toList(),
				results.stream().mapToDouble(y).boxed().toList());
	}

}
