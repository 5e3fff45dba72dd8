package io.parley.loadtest.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One run of the load kit.
 *
 * @param name of the study, which also names the files, such as {@code capacity}
 * @param title one line for people
 * @param command the command line that repeats the run
 * @param startedAt the time of the start
 * @param took the duration
 * @param passed whether no message was lost, doubled, out of order or refused, and each
 * goal was met
 * @param verdict the result in one sentence
 * @param metrics the figures by which two runs are compared
 * @param environment names and values in order
 * @param parts tables, charts and notes in reading order
 */
public record RunReport(String name, String title, String command, Instant startedAt, Duration took, boolean passed,
		String verdict, List<Metric> metrics, List<Fact> environment, List<Part> parts) {

	/**
	 * An element of the report.
	 */
	public sealed interface Part permits Table, Chart, Note {

	}

	/**
	 * A table.
	 *
	 * @param rows as many cells as columns in each: text, numbers, or an empty text for a
	 * value that was not measured
	 * @param note a sentence below the table, or an empty text
	 */
	public record Table(String title, List<String> columns, List<List<Object>> rows, String note) implements Part {
	}

	/**
	 * Lines over one axis.
	 *
	 * @param x the horizontal axis, with its unit
	 * @param y the vertical axis, with its unit
	 */
	public record Chart(String title, Axis x, Axis y, List<Series> series) implements Part {
	}

	/** A paragraph. */
	public record Note(String title, String text) implements Part {
	}

	/**
	 * An axis.
	 *
	 * @param logarithmic whether the axis has a logarithmic scale
	 */
	public record Axis(String label, boolean logarithmic) {
	}

	/**
	 * Points of one line, ascending by x, with as many x as y.
	 */
	public record Series(String name, List<Double> x, List<Double> y) {
	}

	/**
	 * A figure that is compared with the same figure of another run.
	 *
	 * @param unit such as {@code ms}, {@code 1/s}, or an empty text for a count
	 * @param better whether higher or lower values are better
	 */
	public record Metric(String name, double value, String unit, Better better) {
	}

	/**
	 * The better direction of a figure.
	 */
	public enum Better {

		/**
		 * Higher is better, such as for sessions.
		 */
		HIGHER,
		/**
		 * Lower is better, such as for milliseconds.
		 */
		LOWER

	}

	/**
	 * A fact about the environment.
	 */
	public record Fact(String name, String value) {
	}

}
