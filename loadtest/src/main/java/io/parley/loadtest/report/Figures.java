package io.parley.loadtest.report;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;

/** Numbers as people read them: enough digits, thousands apart. */
public final class Figures {

	private static final Pattern FIGURE = Pattern.compile("[-+±]?\\d[\\d.,]*( ?(%|(1/)?[A-Za-zµ/]{1,6}))?");

	private Figures() {
	}

	/** Two digits after the point. */
	public static double cents(double value) {
		return Math.round(value * 100) / 100.0;
	}

	/** Without what is after the point. */
	public static double whole(double value) {
		return Math.rint(value);
	}

	/** KB as MB. */
	public static double megabytes(long kilobytes) {
		return Math.rint(kilobytes / 1024.0);
	}

	static String text(Object cell) {
		return switch (cell) {
			case Double number -> text(number.doubleValue());
			case Float number -> text(number.doubleValue());
			case Number number -> String.format(Locale.ROOT, "%,d", number.longValue());
			default -> cell.toString();
		};
	}

	static String text(double value) {
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
	 * The cells of a column, all doubles with the same number of digits after the point.
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
		// One digit would be left of what is much smaller than the rest.
		return cells.stream()
			.map((cell) -> (cell instanceof Double number && Math.abs(number) * Math.pow(10, digits) >= 10)
					? String.format(Locale.ROOT, "%,." + digits + "f", number) : text(cell))
			.toList();
	}

	static String text(double value, String unit) {
		return unit.isEmpty() ? text(value) : text(value) + " " + unit;
	}

	/** Whether a cell stands on the right. */
	static boolean isFigure(Object cell) {
		return cell instanceof Number || FIGURE.matcher(cell.toString()).matches();
	}

	/** How long something still takes. */
	public static String left(Duration duration) {
		return "about " + text(duration.truncatedTo(ChronoUnit.SECONDS)) + " left";
	}

	/** A time in the units that suit it. */
	public static String text(Duration took) {
		if (took.compareTo(Duration.ofSeconds(100)) < 0) {
			return text(took.toMillis() / 1000.0) + " s";
		}
		String minutes = took.toMinutesPart() + " min";
		return (took.toHours() > 0) ? took.toHours() + " h " + minutes : minutes + " " + took.toSecondsPart() + " s";
	}

}
