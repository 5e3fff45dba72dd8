package io.parley.loadtest.study;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.parley.loadtest.cli.Invocation;
import io.parley.loadtest.report.Environment;
import io.parley.loadtest.report.ReportOptions;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.TextTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * A study that runs: its report is written once, at its end or when it is interrupted, of
 * what is there by then.
 */
public final class Study implements AutoCloseable {

	private final Instant startedAt = Instant.now();

	private final AtomicBoolean written = new AtomicBoolean();

	private final CommandSpec spec;

	private final ReportOptions options;

	private final Supplier<Findings> findings;

	private final Thread interrupted = new Thread(this::writeWhatIsThere);

	/**
	 * What a study has found so far.
	 *
	 * @param title one line for people
	 * @param passed whether nothing was lost, doubled, out of order or refused
	 * @param verdict the result in one sentence
	 * @param parts in the order of reading; tables are printed too
	 */
	public record Findings(String title, boolean passed, String verdict, List<Metric> metrics, List<Part> parts) {
	}

	private Study(CommandSpec spec, ReportOptions options, Supplier<Findings> findings) {
		this.spec = spec;
		this.options = options;
		this.findings = findings;
	}

	/**
	 * Begins.
	 * @param spec of the command that was started
	 * @param findings may be asked on another thread at any time
	 */
	public static Study of(@Nullable CommandSpec spec, ReportOptions options, Supplier<Findings> findings) {
		Study study = new Study(Objects.requireNonNull(spec, "picocli sets it"), options, findings);
		Runtime.getRuntime().addShutdownHook(study.interrupted);
		return study;
	}

	/** Ends it, writes the report and answers the exit code. */
	public int finish() {
		return this.written.compareAndSet(false, true) ? write(this.findings.get(), "") : 1;
	}

	private void writeWhatIsThere() {
		if (this.written.compareAndSet(false, true)) {
			write(this.findings.get(), "INTERRUPTED before its end; until then: ");
		}
	}

	private int write(Findings found, String before) {
		TextTable.print(found.parts());
		System.out.println();
		boolean passed = found.passed() && before.isEmpty();
		return this.options.finish(new RunReport(this.spec.name(), found.title(), Invocation.repeating(this.spec),
				this.startedAt, Duration.between(this.startedAt, Instant.now()), passed, before + found.verdict(),
				found.metrics(), Environment.facts(), found.parts()));
	}

	@Override
	public void close() {
		try {
			Runtime.getRuntime().removeShutdownHook(this.interrupted);
		}
		catch (IllegalStateException ex) {
			// The JVM ends: the report is being written.
		}
	}

}
