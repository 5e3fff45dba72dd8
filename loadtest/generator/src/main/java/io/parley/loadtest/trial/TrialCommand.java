package io.parley.loadtest.trial;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.report.ProcessSampler;
import io.parley.loadtest.report.ReportOptions;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import io.parley.loadtest.user.RestApi;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * A command that measures and ends with a report.
 */
public abstract class TrialCommand implements Callable<Integer> {

	@Mixin
	private final ReportOptions reports = new ReportOptions();

	@Spec
	private @Nullable CommandSpec spec;

	/**
	 * Checks the options, prepares and runs the trial, and prints the results.
	 * @return the completed report
	 * @throws io.parley.loadtest.cli.LoadTestException with the change to make
	 */
	protected abstract RunReport run(Trial trial);

	/**
	 * Returns the name of this process in the report.
	 */
	protected String process() {
		return ProcessSampler.GENERATOR;
	}

	@Override
	public final Integer call() {
		Interrupt.listen();
		try (ProcessSampler processes = ProcessSampler.start(process())) {
			return this.reports.finish(run(new Trial(Objects.requireNonNull(this.spec), processes)));
		}
	}

	/**
	 * Signs up users at a server that is ready, and creates their rooms.
	 * @param away additional offline members of each room
	 */
	public static List<Account> signUp(Target target, String run, int rooms, int users, int away) {
		Preconditions.checkReady(target);
		try (RestApi api = new RestApi(target.url)) {
			return new Population(api, run, rooms, away).create(users);
		}
	}

}
