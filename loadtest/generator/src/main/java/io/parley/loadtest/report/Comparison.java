package io.parley.loadtest.report;

import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Table;
import org.jspecify.annotations.Nullable;

/**
 * Compares a run with an earlier one, figure by figure.
 *
 * @param threshold how much worse a figure may be, in per cent
 */
record Comparison(RunReport before, List<Line> lines, double threshold) {

	record Line(String name, @Nullable Metric old, @Nullable Metric now) {

		boolean isComparable() {
			return this.old != null && this.now != null && this.old.unit().equals(this.now.unit());
		}

		/**
		 * Returns the change in per cent; infinite when the old value was 0.
		 */
		double change() {
			double from = value(this.old);
			double difference = value(this.now) - from;
			return (difference == 0) ? 0 : 100 * difference / Math.abs(from);
		}

		boolean isWorse(double threshold) {
			return isComparable() && loss() > threshold;
		}

		private double loss() {
			return (this.now != null && this.now.better() == RunReport.Better.HIGHER) ? -change() : change();
		}

		String verdict(double threshold) {
			if (this.old == null) {
				return "only in this run";
			}
			if (this.now == null) {
				return "only in the baseline";
			}
			if (!isComparable()) {
				return "units differ";
			}
			return isWorse(threshold) ? "worse" : (loss() < -threshold) ? "better" : "as before";
		}

		String changeText() {
			if (!isComparable()) {
				return "";
			}
			return Double.isFinite(change()) ? "%+.1f %%".formatted(change()) : "from 0";
		}

		static String text(@Nullable Metric metric) {
			return (metric != null) ? Figures.text(metric.value(), metric.unit()) : "";
		}

		private static double value(@Nullable Metric metric) {
			return (metric != null) ? metric.value() : 0;
		}

	}

	static Comparison of(RunReport before, RunReport now, double threshold) {
		Map<String, Metric> old = measured(before);
		List<Line> lines = new ArrayList<>();
		measured(now).forEach((name, metric) -> lines.add(new Line(name, old.remove(name), metric)));
		old.forEach((name, metric) -> lines.add(new Line(name, metric, null)));
		return new Comparison(before, lines, threshold);
	}

	private static Map<String, Metric> measured(RunReport report) {
		return report.metrics()
			.stream()
			.filter((metric) -> Double.isFinite(metric.value()))
			.collect(Collectors.toMap(Metric::name, Function.identity(), (first, last) -> last, LinkedHashMap::new));
	}

	/**
	 * Returns whether a figure is worse than allowed, or no figure could be compared.
	 */
	boolean failed() {
		return this.lines.stream().anyMatch((line) -> line.isWorse(this.threshold))
				|| this.lines.stream().noneMatch(Line::isComparable);
	}

	/**
	 * Returns the result, with the name of each figure that is worse or exists in one run
	 * only.
	 */
	String sentence() {
		String missing = list((line) -> !line.isComparable(),
				(line) -> "%s (%s)".formatted(line.name(), line.verdict(this.threshold)));
		return missing.isEmpty() ? result() : result() + " Not compared: " + missing + ".";
	}

	private String result() {
		if (this.lines.stream().noneMatch(Line::isComparable)) {
			return "The baseline has no figure in common with this run: pass a report of \"%s\" with --baseline."
				.formatted(this.before.name());
		}
		String baseline = "than the baseline of %s by more than %s %%".formatted(
				LocalDate.ofInstant(this.before.startedAt(), ZoneId.systemDefault()), Figures.text(this.threshold));
		String worse = list((line) -> line.isWorse(this.threshold), (line) -> "%s (%s → %s, %s)".formatted(line.name(),
				Line.text(line.old()), Line.text(line.now()), line.changeText()));
		return worse.isEmpty() ? "No figure is worse %s.".formatted(baseline)
				: "Worse %s: %s.".formatted(baseline, worse);
	}

	private String list(Predicate<Line> which, Function<Line, String> text) {
		return this.lines.stream().filter(which).map(text).collect(Collectors.joining(", "));
	}

	Table table() {
		List<List<Object>> rows = this.lines.stream()
			.map((line) -> List.<Object>of(line.name(), Line.text(line.old()), Line.text(line.now()), line.changeText(),
					line.verdict(this.threshold)))
			.toList();
		return new Table("Compared with the baseline", List.of("figure", "baseline", "this run", "change", ""), rows,
				this.before.passed() ? sentence() : sentence() + " The baseline run had failed.");
	}

}
