package io.parley.loadtest.study;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Invocation;
import io.parley.loadtest.report.Environment;
import io.parley.loadtest.report.ProcessSampler;
import io.parley.loadtest.report.ReportOptions;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.TextTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Runs a study; its report is written at its end, or of what is there when it is
 * interrupted.
 */
public final class Study {

	private Study() {
	}

	/** What a study does. Between its steps it looks at {@link Interrupt}. */
	@FunctionalInterface
	public interface Work {

		/** Returns when all is done, or when the end was asked for. */
		void run() throws Exception;

	}

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

	/**
	 * Does the work, prints what it found, and writes the report.
	 * @param command that was started
	 * @param findings is asked once, after the work
	 * @return the exit code
	 */
	public static int run(@Nullable CommandSpec command, ReportOptions options, Work work, Supplier<Findings> findings)
			throws Exception {
		CommandSpec spec = Objects.requireNonNull(command, "picocli sets it");
		Instant startedAt = Instant.now();
		Interrupt.listen();
		List<Part> processes = processesDuring(work);
		Findings found = findings.get();
		TextTable.print(found.parts());
		System.out.println();
		boolean whole = !Interrupt.requested();
		return options.finish(new RunReport(spec.name(), found.title(), Invocation.repeating(spec), startedAt,
				Duration.between(startedAt, Instant.now()), found.passed() && whole,
				(whole ? "" : "INTERRUPTED before its end; until then: ") + found.verdict(), found.metrics(),
				Environment.facts(), Stream.concat(found.parts().stream(), processes.stream()).toList()));
	}

	/** What the generator and the servers that were started needed meanwhile. */
	private static List<Part> processesDuring(Work work) throws Exception {
		try (ProcessSampler processes = ProcessSampler.start()) {
			try {
				work.run();
			}
			catch (Exception ex) {
				// Ctrl-C ends the servers too: who talks to them then fails.
				if (!Interrupt.requested()) {
					throw ex;
				}
			}
			return processes.parts();
		}
	}

}
