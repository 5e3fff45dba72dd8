package io.parley.jmeter;

import us.abstracta.jmeter.javadsl.core.TestPlanStats;
import us.abstracta.jmeter.javadsl.core.stats.StatsSummary;

/**
 * Formats JMeter's summary report for the console.
 */
final class Summary {

	private static final String HEAD = "%n  %-16s %9s %9s %9s %9s %9s %12s%n";

	private static final String LINE = "  %-16s %,9d %,9d %,9d %,9d %8.2f%% %,10.1f/s%n";

	private final TestPlanStats stats;

	Summary(TestPlanStats stats) {
		this.stats = stats;
	}

	/**
	 * Returns a table with a line for each of these steps and one for all.
	 */
	String table(Iterable<String> labels) {
		StringBuilder text = new StringBuilder(
				HEAD.formatted("step", "samples", "avg ms", "min ms", "max ms", "error", "throughput"));
		labels.forEach((label) -> text.append(line(label, this.stats.byLabel(label))));
		return (samples() > 0) ? text.append(line("all", this.stats.overall())).toString() : text.toString();
	}

	long samples() {
		return this.stats.overall().samplesCount();
	}

	long errors() {
		return this.stats.overall().errorsCount();
	}

	private static String line(String label, StatsSummary step) {
		double errors = 100.0 * step.errorsCount() / Math.max(1, step.samplesCount());
		return LINE.formatted(label, step.samplesCount(), step.sampleTime().mean().toMillis(),
				step.sampleTime().min().toMillis(), step.sampleTime().max().toMillis(), errors,
				step.samples().perSecond());
	}

}
