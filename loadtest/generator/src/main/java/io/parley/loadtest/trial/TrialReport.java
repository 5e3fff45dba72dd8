package io.parley.loadtest.trial;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Invocation;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.report.Environment;
import io.parley.loadtest.report.HeapSource;
import io.parley.loadtest.report.Jcmd;
import io.parley.loadtest.report.ProcessSampler;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Fact;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Note;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.RunReport.Table;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Collects the report of a run. The run starts when this object is created.
 */
public final class TrialReport {

	private final Instant startedAt = Instant.now();

	private final List<Metric> metrics = new ArrayList<>();

	private final List<Fact> environment = new ArrayList<>(Environment.facts());

	private final List<Part> parts = new ArrayList<>();

	private final String name;

	private final String command;

	private final ProcessSampler processes;

	/**
	 * Creates a report of a command with its arguments.
	 * @param processes samples the resource use of this process and the server
	 */
	TrialReport(CommandSpec command, ProcessSampler processes) {
		this.processes = processes;
		this.name = command.name();
		this.command = Invocation.repeating(command);
	}

	public TrialReport lower(String metric, double value, String unit) {
		this.metrics.add(new Metric(metric, value, unit, Better.LOWER));
		return this;
	}

	public TrialReport higher(String metric, double value, String unit) {
		this.metrics.add(new Metric(metric, value, unit, Better.HIGHER));
		return this;
	}

	/**
	 * Adds the resource use of the server's process to the report from now on, if the
	 * process is known.
	 */
	public TrialReport watch(@Nullable Long pid) {
		if (pid != null) {
			watch("server", pid, new Jcmd(pid));
		}
		return this;
	}

	public TrialReport watch(String process, long pid, HeapSource heap) {
		this.processes.watch(process, pid, heap);
		return this;
	}

	public TrialReport fact(String fact, String value) {
		this.environment.add(new Fact(fact, value));
		return this;
	}

	public TrialReport add(Part part) {
		this.parts.add(part);
		return this;
	}

	public TrialReport note(String title, String text) {
		return add(new Note(title, text));
	}

	public TrialReport addAll(List<? extends Part> more) {
		this.parts.addAll(more);
		return this;
	}

	/**
	 * Adds the processor use of the generator, and a warning if the generator was
	 * saturated.
	 */
	public TrialReport generator(double cores) {
		fact("generator, cores used", String.format(Locale.ROOT, "%.2f", cores));
		return Generator.isSaturated(cores) ? note("This generator", Generator.SATURATED) : this;
	}

	/**
	 * Adds the metrics, tables and charts over time that every trial with sessions has.
	 */
	public TrialReport add(Measures measures, TimeLine timeLine) {
		if (measures.delivering.getTotalCount() > 0) {
			lower("delivery p50", Latencies.millis(measures.delivering, 50), "ms");
			lower("delivery p99", Latencies.millis(measures.delivering, 99), "ms");
		}
		lower("errors", measures.errorCount(), "");
		Map<String, Histogram> histograms = histograms(measures);
		add(Latencies.table("Latency", histograms));
		add(errors(measures));
		addAll(timeLine.charts());
		return addAll(Latencies.spectrum("Percentiles", histograms));
	}

	public RunReport finish(boolean passed, String title, String verdict) {
		addAll(this.processes.parts());
		return new RunReport(this.name, title, this.command, this.startedAt,
				Duration.between(this.startedAt, Instant.now()), passed && !Interrupt.requested(), verdict,
				List.copyOf(this.metrics), List.copyOf(this.environment), List.copyOf(this.parts));
	}

	private static Map<String, Histogram> histograms(Measures measures) {
		Map<String, Histogram> histograms = new LinkedHashMap<>();
		histograms.put("started late by this generator", measures.starting);
		histograms.put("connected", measures.connecting);
		histograms.put("subscribed", measures.subscribing);
		histograms.put("whole session", measures.whole);
		histograms.put("caught up after a lost connection", measures.resuming);
		histograms.put("caught up after the reconnect began", measures.catchingUp);
		histograms.put("accepted (SEND to RECEIPT)", measures.accepting);
		histograms.put("delivered (SEND to each MESSAGE)", measures.delivering);
		histograms.values().removeIf((histogram) -> histogram.getTotalCount() == 0);
		return histograms;
	}

	/**
	 * Returns the failures by class. The first rows are always present, to show that they
	 * were checked.
	 */
	private static Table errors(Measures measures) {
		List<List<Object>> rows = new ArrayList<>();
		rows.add(List.of("lost", measures.lost.sum()));
		rows.add(List.of("duplicate", measures.duplicates()));
		rows.add(List.of("out of order", measures.count(Verdict.OUT_OF_ORDER)));
		rows.add(List.of("gaps", measures.count(Verdict.GAP)));
		rows.add(List.of("broken chains", measures.count(Verdict.BROKEN_CHAIN)));
		rows.add(List.of("unexpected closes", measures.unexpectedCloses.sum()));
		rows.add(List.of("heart-beat misses", measures.heartBeatMisses.sum()));
		rows.add(List.of("turned away, reconnected (no error)", measures.turnedAway.sum()));
		measures.errors().forEach((kind, count) -> rows.add(List.of(kind, count)));
		return new Table("Errors by class", List.of("class", "count"), rows, "");
	}

}
