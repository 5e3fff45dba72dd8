package io.parley.loadtest.study;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
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
import picocli.CommandLine.Model.CommandSpec;

/**
 * A study with its findings. It writes its report at the end, or a report of the results
 * so far when it is interrupted.
 *
 * @param work the steps of the study
 * @param result called once, after the work
 */
public record Study(Work work, Supplier<Findings> result) {

	/**
	 * The steps of a study. It must check {@link Interrupt} between its steps.
	 */
	@FunctionalInterface
	public interface Work {

		/**
		 * Runs the study. Returns when all steps are done, or when the end of the run was
		 * requested.
		 */
		void run() throws Exception;

	}

	/**
	 * The results of a study so far.
	 *
	 * @param title one line for people
	 * @param passed whether no message was lost, doubled, out of order or refused
	 * @param verdict the result in one sentence
	 * @param parts in reading order; tables are also printed
	 */
	public record Findings(String title, boolean passed, String verdict, List<Metric> metrics, List<Part> parts) {
	}

	/**
	 * Runs the work, prints its findings, and writes the report.
	 * @param command the command that was started
	 * @return the exit code
	 */
	int run(CommandSpec command, ReportOptions options) throws Exception {
		Instant startedAt = Instant.now();
		Interrupt.listen();
		List<Part> processes = processesDuring();
		Findings found = this.result.get();
		TextTable.print(found.parts());
		System.out.println();
		boolean whole = !Interrupt.requested();
		return options.finish(new RunReport(command.name(), found.title(), Invocation.repeating(command), startedAt,
				Duration.between(startedAt, Instant.now()), found.passed() && whole,
				(whole ? "" : "INTERRUPTED before its end; until then: ") + found.verdict(), found.metrics(),
				Environment.facts(), Stream.concat(found.parts().stream(), processes.stream()).toList()));
	}

	/**
	 * Runs the work and returns the resource use of the generator and of the started
	 * servers.
	 */
	private List<Part> processesDuring() throws Exception {
		try (ProcessSampler processes = ProcessSampler.start()) {
			try {
				this.work.run();
			}
			catch (Exception ex) {
				// Ctrl-C also ends the servers, so that requests to them fail.
				if (!Interrupt.requested()) {
					throw ex;
				}
			}
			return processes.parts();
		}
	}

}
