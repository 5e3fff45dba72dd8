package io.parley.loadtest.trial;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

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
 * One run of a command: its name, its measurements, and its report, which it collects.
 * The run starts when this object is created.
 */
public final class Trial {

	/** A unique name for all users and rooms that this run creates at the server. */
	public final String run = uniqueName();

	public final Measures measures = new Measures();

	public final ConsoleReport console = new ConsoleReport(this.measures);

	private final Instant startedAt = Instant.now();

	private final List<Metric> metrics = new ArrayList<>();

	private final List<Fact> environment = new ArrayList<>(Environment.facts());

	private final List<Part> parts = new ArrayList<>();

	private final CommandSpec command;

	private final ProcessSampler processes;

	/**
	 * Creates a run of a command with its arguments.
	 * @param processes samples the resource use of this process and the server
	 */
	Trial(CommandSpec command, ProcessSampler processes) {
		this.command = command;
		this.processes = processes;
	}

	/**
	 * Returns a name that no other run has.
	 */
	public static String uniqueName() {
		return HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
	}

	public Trial lower(String metric, double value, String unit) {
		this.metrics.add(new Metric(metric, value, unit, Better.LOWER));
		return this;
	}

	public Trial higher(String metric, double value, String unit) {
		this.metrics.add(new Metric(metric, value, unit, Better.HIGHER));
		return this;
	}

	/**
	 * Adds the resource use of the server's process to the report from now on, if the
	 * process is known.
	 */
	public Trial watch(@Nullable Long pid) {
		if (pid != null) {
			watch("server", pid, new Jcmd(pid));
		}
		return this;
	}

	public Trial watch(String process, long pid, HeapSource heap) {
		this.processes.watch(process, pid, heap);
		return this;
	}

	public Trial fact(String fact, String value) {
		this.environment.add(new Fact(fact, value));
		return this;
	}

	public Trial add(Part part) {
		this.parts.add(part);
		return this;
	}

	public Trial note(String title, String text) {
		return add(new Note(title, text));
	}

	public Trial addAll(List<? extends Part> more) {
		this.parts.addAll(more);
		return this;
	}

	/**
	 * Adds the processor use of the generator, and a warning if the generator was
	 * saturated.
	 */
	public Trial generator(double cores) {
		fact("generator, cores used", String.format(Locale.ROOT, "%.2f", cores));
		return Generator.isSaturated(cores) ? note("This generator", Generator.SATURATED) : this;
	}

	/**
	 * Adds the metrics, tables and charts over time that every trial with sessions has.
	 */
	public Trial add(Measures measured, TimeLine timeLine) {
		if (measured.delivering.getTotalCount() > 0) {
			lower("delivery p50", Latencies.millis(measured.delivering, 50), "ms");
			lower("delivery p99", Latencies.millis(measured.delivering, 99), "ms");
		}
		lower("errors", measured.errorCount(), "");
		Map<String, Histogram> histograms = measured.histograms();
		histograms.values().removeIf((histogram) -> histogram.getTotalCount() == 0);
		return add(Latencies.table("Latency", histograms)).add(errors(measured))
			.addAll(timeLine.charts())
			.addAll(Latencies.spectrum("Percentiles", histograms));
	}

	public RunReport finish(boolean passed, String title, String verdict) {
		addAll(this.processes.parts());
		return new RunReport(this.command.name(), title, Invocation.repeating(this.command), this.startedAt,
				Duration.between(this.startedAt, Instant.now()), passed && !Interrupt.requested(), verdict,
				List.copyOf(this.metrics), List.copyOf(this.environment), List.copyOf(this.parts));
	}

	/**
	 * Returns the failures by class. The first rows are always present, to show that they
	 * were checked.
	 */
	private static Table errors(Measures measured) {
		Map<String, Long> errors = measured.failures();
		errors.put("turned away, reconnected (no error)", measured.turnedAway.sum());
		List<List<Object>> rows = Stream.of(errors, measured.errors())
			.flatMap((counts) -> counts.entrySet().stream())
			.map((count) -> List.<Object>of(count.getKey(), count.getValue()))
			.toList();
		return new Table("Errors by class", List.of("class", "count"), rows, "");
	}

}
