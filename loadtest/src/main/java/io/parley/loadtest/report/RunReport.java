package io.parley.loadtest.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One run of the load kit.
 *
 * @param name of the study, which also names the files: {@code capacity}
 * @param title one line for people
 * @param command what repeats the run
 * @param startedAt when it began
 * @param took how long it ran
 * @param passed whether nothing was lost, doubled, out of order or refused
 * @param verdict the result in one sentence
 * @param metrics the figures that two runs are compared by
 * @param environment where it ran, as names and values in order
 * @param parts tables, charts and notes in the order of reading
 */
public record RunReport(String name, String title, String command, Instant startedAt, Duration took, boolean passed,
		String verdict, List<Metric> metrics, List<Fact> environment, List<Part> parts) {

	/** A piece of the report. */
	public sealed interface Part permits Table, Chart, Note {

	}

	/**
	 * A table.
	 *
	 * @param rows as many cells as columns in each: text, numbers, or an empty text for
	 * what was not measured
	 * @param note a sentence below it, or an empty text
	 */
	public record Table(String title, List<String> columns, List<List<Object>> rows, String note) implements Part {
	}

	/**
	 * Lines over one axis.
	 *
	 * @param x what the horizontal axis shows, with its unit
	 * @param y what the vertical axis shows, with its unit
	 */
	public record Chart(String title, Axis x, Axis y, List<Series> series) implements Part {
	}

	/** A paragraph. */
	public record Note(String title, String text) implements Part {
	}

	/**
	 * An axis.
	 *
	 * @param logarithmic whether each step is ten times the one before
	 */
	public record Axis(String label, boolean logarithmic) {
	}

	/** Points of one line, ascending by x, as many x as y. */
	public record Series(String name, List<Double> x, List<Double> y) {
	}

	/**
	 * A figure that is compared with the same one of another run.
	 *
	 * @param unit as {@code ms}, {@code 1/s}, or an empty text for a count
	 * @param better whether more or less of it is good
	 */
	public record Metric(String name, double value, String unit, Better better) {
	}

	/** Which direction is good. */
	public enum Better {

		/** As of sessions. */
		HIGHER,
		/** As of milliseconds. */
		LOWER

	}

	/** A line of the environment. */
	public record Fact(String name, String value) {
	}

}
