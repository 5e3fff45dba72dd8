package io.parley.loadtest.report;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/**
 * Formats numbers for reading: enough digits, with thousands separators.
 */
public final class Figures {

	private static final Pattern FIGURE = Pattern.compile("[-+±]?\\d[\\d.,]*( ?(%|(1/)?[A-Za-zµ/]{1,6}))?");

	private Figures() {
	}

	/**
	 * Rounds to two decimal places.
	 */
	public static double cents(double value) {
		return Math.round(value * 100) / 100.0;
	}

	/**
	 * Rounds to a whole number.
	 */
	public static double whole(double value) {
		return Math.rint(value);
	}

	/**
	 * Converts KB to whole MB.
	 */
	public static double megabytes(long kilobytes) {
		return Math.rint(kilobytes / 1024.0);
	}

	/**
	 * Formats a row with columns of fixed width: doubles get two decimal places.
	 */
	public static Object[] cells(List<Object> row) {
		return row.stream()
			.map((cell) -> (cell instanceof Double) ? String.format(Locale.ROOT, "%,.2f", cell) : cell)
			.toArray();
	}

	public static String text(Object cell) {
		return switch (cell) {
			case Double number -> text(number.doubleValue());
			case Float number -> text(number.doubleValue());
			case Number number -> String.format(Locale.ROOT, "%,d", number.longValue());
			default -> cell.toString();
		};
	}

	public static String text(double value) {
		double size = Math.abs(value);
		if (!Double.isFinite(value)) {
			return "–";
		}
		if (value == Math.rint(value) || size >= 1000) {
			return String.format(Locale.ROOT, "%,.0f", value);
		}
		if (size >= 1) {
			return String.format(Locale.ROOT, (size >= 100) ? "%.1f" : "%.2f", value);
		}
		return String.format(Locale.ROOT, (size >= 0.001) ? "%.3f" : "%.1e", value);
	}

	/**
	 * Formats the cells of a column. All doubles get the same number of decimal places.
	 */
	static List<String> column(List<Object> cells) {
		double[] doubles = cells.stream()
			.filter(Double.class::isInstance)
			.mapToDouble((cell) -> Math.abs((Double) cell))
			.filter(Double::isFinite)
			.toArray();
		double largest = DoubleStream.of(doubles).max().orElse(0);
		boolean whole = DoubleStream.of(doubles).allMatch((value) -> value == Math.rint(value));
		int digits = (whole || largest >= 1000) ? 0 : (largest >= 100) ? 1 : (largest >= 1) ? 2 : 3;
		// A number much smaller than the others would keep only one digit; format it
		// separately.
		return cells.stream()
			.map((cell) -> (cell instanceof Double number && Math.abs(number) * Math.pow(10, digits) >= 10)
					? String.format(Locale.ROOT, "%,." + digits + "f", number) : text(cell))
			.toList();
	}

	public static String text(double value, String unit) {
		return unit.isEmpty() ? text(value) : text(value) + " " + unit;
	}

	/**
	 * Returns whether a cell is a figure and thus right-aligned.
	 */
	static boolean isFigure(Object cell) {
		return cell instanceof Number || FIGURE.matcher(cell.toString()).matches();
	}

	public static String left(Duration duration) {
		return "about " + text(duration.truncatedTo(ChronoUnit.SECONDS)) + " left";
	}

	/**
	 * Formats a duration in suitable units.
	 */
	public static String text(Duration took) {
		if (took.compareTo(Duration.ofSeconds(100)) < 0) {
			return text(took.toMillis() / 1000.0) + " s";
		}
		String minutes = took.toMinutesPart() + " min";
		return (took.toHours() > 0) ? took.toHours() + " h " + minutes : minutes + " " + took.toSecondsPart() + " s";
	}

}
