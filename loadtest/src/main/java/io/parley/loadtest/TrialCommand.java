package io.parley.loadtest;

import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.report.ProcessSampler;
import io.parley.loadtest.report.ReportOptions;
import io.parley.loadtest.report.RunReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** A command that measures something and ends in a report. */
abstract class TrialCommand implements Callable<Integer> {

	@Mixin
	private final ReportOptions reports = new ReportOptions();

	@Spec
	private @Nullable CommandSpec spec;

	/**
	 * Checks the options, prepares, measures, prints.
	 * @param run a name for all that this run makes at the server
	 * @param report to be completed
	 * @throws io.parley.loadtest.cli.RefusedException with what to change
	 */
	abstract RunReport run(String run, TrialReport report);

	/** What the report calls this process. */
	String process() {
		return ProcessSampler.GENERATOR;
	}

	@Override
	public final Integer call() {
		Interrupt.listen();
		String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
		try (ProcessSampler processes = ProcessSampler.start(process())) {
			return this.reports.finish(run(run, new TrialReport(Objects.requireNonNull(this.spec), processes)));
		}
	}

	/** Signs up users at a server that is ready, and makes their rooms. */
	static List<Account> signUp(Target target, String run, int rooms, int users) {
		return signUp(target, run, rooms, users, 0);
	}

	/** Does the same with members who never come, so many in each room. */
	static List<Account> signUp(Target target, String run, int rooms, int users, int away) {
		Refusals.checkReady(target);
		try (RestApi api = new RestApi(target.url)) {
			return new Population(api, run, rooms, away).create(users);
		}
	}

}
