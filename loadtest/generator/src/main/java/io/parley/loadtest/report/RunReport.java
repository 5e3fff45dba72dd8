package io.parley.loadtest.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonSubTypes.Type;
import com.fasterxml.jackson.annotation.JsonTypeInfo;

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
	 * Returns the same run with another part at the beginning.
	 */
	RunReport startingWith(Part first) {
		List<Part> all = Stream.concat(Stream.of(first), this.parts.stream()).toList();
		return new RunReport(this.name, this.title, this.command, this.startedAt, this.took, this.passed, this.verdict,
				this.metrics, this.environment, all);
	}

	/**
	 * An element of the report.
	 */
	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
	@JsonSubTypes({ @Type(name = "table", value = Table.class), @Type(name = "chart", value = Chart.class),
			@Type(name = "note", value = Note.class) })
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

		/**
		 * Creates a line with a point for each element.
		 */
		public static <T> Series of(String name, List<T> elements, ToDoubleFunction<T> x, ToDoubleFunction<T> y) {
			return new Series(name, elements.stream().map(x::applyAsDouble).toList(),
					elements.stream().map(y::applyAsDouble).toList());
		}

	}

	/**
	 * A figure that is compared with the same figure of another run.
	 *
	 * @param unit such as {@code ms}, {@code 1/s}, or an empty text for a count
	 * @param better whether higher or lower values are better
	 */
	public record Metric(String name, double value, String unit, Better better) {
	}

	public enum Better {

		/** Higher is better, such as for sessions. */
		HIGHER,
		/** Lower is better, such as for milliseconds. */
		LOWER

	}

	public record Fact(String name, String value) {
	}

}
