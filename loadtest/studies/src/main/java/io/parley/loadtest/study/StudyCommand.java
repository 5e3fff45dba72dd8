package io.parley.loadtest.study;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

import io.parley.loadtest.cli.CommandExtension;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Invocation;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.report.Environment;
import io.parley.loadtest.report.Figures;
import io.parley.loadtest.report.ProcessSampler;
import io.parley.loadtest.report.ReportOptions;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Part;
import io.parley.loadtest.report.TextTable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A study: checks its options, runs its cases one after the other, each with new servers,
 * prints the tables, and writes the report. When it is interrupted, the report shows the
 * results so far.
 *
 * @param <C> a case
 */
public abstract class StudyCommand<C> implements CommandExtension {

	@Mixin
	private final ReportOptions report = new ReportOptions();

	@Spec
	private @Nullable CommandSpec spec;

	/**
	 * Checks the options and returns the cases.
	 * @throws LoadTestException with the change to make
	 */
	protected abstract List<C> cases();

	/**
	 * Called once before the first case. Does nothing by default.
	 */
	protected void prepare(List<C> cases) {
	}

	/**
	 * Returns a line about the whole study; empty for none.
	 */
	protected String introduction() {
		return "";
	}

	/**
	 * Returns the name of a case for people.
	 */
	protected String name(C theCase) {
		return theCase.toString();
	}

	/**
	 * Returns the approximate duration of a case, used until one is complete; zero when
	 * it is unknown.
	 */
	protected abstract Duration expected();

	/**
	 * Runs a case and keeps its results. Long cases must check {@link Interrupt}.
	 * @param open closed after the case
	 */
	protected abstract void run(C theCase, Resources open) throws Exception;

	/**
	 * Returns the results of the cases that have run. Called once, at the end.
	 */
	protected abstract Findings findings();

	@Override
	public final Integer call() throws Exception {
		CommandSpec command = Objects.requireNonNull(this.spec, "picocli sets it");
		List<C> cases = cases();
		Instant startedAt = Instant.now();
		Interrupt.listen();
		List<Part> processes = run(cases);
		Findings found = findings();
		TextTable.print(found.parts());
		System.out.println();
		boolean whole = !Interrupt.requested();
		return this.report.finish(new RunReport(command.name(), found.title(), Invocation.repeating(command), startedAt,
				Duration.between(startedAt, Instant.now()), found.passed() && whole,
				(whole ? "" : "INTERRUPTED before its end; until then: ") + found.verdict(), found.metrics(),
				Environment.facts(), Stream.concat(found.parts().stream(), processes.stream()).toList()));
	}

	private List<Part> run(List<C> cases) throws Exception {
		try (ProcessSampler processes = ProcessSampler.start()) {
			try {
				runEach(cases);
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

	private void runEach(List<C> cases) throws Exception {
		if (!introduction().isEmpty()) {
			System.out.println(introduction());
		}
		prepare(cases);
		long start = System.nanoTime();
		for (int done = 0; done < cases.size() && !Interrupt.requested(); done++) {
			Duration each = (done > 0) ? Duration.ofNanos(System.nanoTime() - start).dividedBy(done) : expected();
			System.out.printf("%n=== %d of %d: %s%s%n", done + 1, cases.size(), name(cases.get(done)),
					each.isPositive() ? " (" + Figures.left(each.multipliedBy(cases.size() - done)) + ")" : "");
			try (Resources open = new Resources()) {
				run(cases.get(done), open);
			}
		}
	}

	/**
	 * Checks options.
	 * @throws LoadTestException with this sentence when the condition is false
	 */
	protected static void require(boolean condition, String otherwise) {
		if (!condition) {
			throw new LoadTestException(otherwise);
		}
	}

}
