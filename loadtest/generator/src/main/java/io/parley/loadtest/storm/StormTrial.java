package io.parley.loadtest.storm;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.Verdicts;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.Sessions;
import io.parley.loadtest.trial.Report;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;

/**
 * Opens all sessions at one moment. The trial passes when all are live within the goal
 * and there is no failure afterwards.
 */
final class StormTrial implements AutoCloseable {

	/**
	 * Rate that starts all sessions in the same millisecond.
	 */
	private static final double AT_ONCE = 1e9;

	private static final double PRACTICE_PER_SECOND = 500;

	private final Measures measures = new Measures();

	private final StormOptions options;

	private final String run;

	private final Sessions sessions;

	StormTrial(StormOptions options, String run) {
		this.options = options;
		this.run = run;
		this.sessions = sessions(options.sessions, this.measures);
	}

	private Sessions sessions(int count, Measures measures) {
		return new Sessions(this.options.target, count, new ParleyDialect(this.run, measures), measures,
				this.options.sessionTimeout(), !this.options.noRetry);
	}

	/**
	 * Runs the trial, prints the results, and completes the report.
	 */
	RunReport run(List<Account> accounts, TrialReport trial) {
		int count = this.options.sessions;
		practice(accounts);
		boolean live = this.sessions.connect(accounts, count, AT_ONCE, this.run);
		double seconds = this.measures.subscribing.getMaxValue() / 1e6;
		Generator.Use use = live ? hold() : new Generator.Use(1, 0);
		long held = this.measures.live.sum();
		this.sessions.leave(this.options.drain);
		boolean inTime = live && seconds <= this.options.within.toMillis() / 1e3;
		boolean passed = inTime && this.measures.passed(count);
		String title = String.format(Locale.ROOT,
				"storm, %,d sessions of %,d users in %,d rooms at once, hold %d s, %s messages/s (run %s)", count,
				this.options.users(), this.options.rooms, this.options.hold.toSeconds(), this.options.rate, this.run);
		print(passed, title, held, seconds, use);
		if (live) {
			trial.lower("until all were live", seconds, "s");
		}
		trial.lower("subscribed p99", Latencies.millis(this.measures.subscribing, 99), "ms")
			.lower("turned away", this.measures.turnedAway.sum(), "")
			.generator(use.cores())
			.add(this.measures, this.sessions.timeLine());
		return trial.finish(passed, title, verdict(passed, live, inTime, seconds));
	}

	private void practice(List<Account> accounts) {
		int count = this.options.practice;
		if (count > 0) {
			try (Sessions passing = sessions(count, new Measures())) {
				passing.connect(accounts, count, PRACTICE_PER_SECOND, this.run);
				passing.leave(this.options.drain);
			}
		}
	}

	private Generator.Use hold() {
		this.sessions.progress().phase("holding", this.options.hold);
		Generator before = Generator.now();
		new Publisher(this.sessions.all(), this.run, this.measures).holdFor(this.options.rate, this.options.hold);
		Generator.Use use = before.until(Generator.now());
		this.sessions.drain(this.options.drain);
		return use;
	}

	private String verdict(boolean passed, boolean live, boolean inTime, double seconds) {
		int count = this.options.sessions;
		if (live && !inTime && this.measures.passed(count) && !Interrupt.requested()) {
			return String.format(Locale.ROOT, "all %,d were live after %.1f s, the goal is %.1f s.%s", count, seconds,
					this.options.within.toMillis() / 1e3, hint());
		}
		return Verdicts.of(passed,
				String.format(Locale.ROOT, "all %,d sessions were live after %.2f s", count, seconds), this.measures,
				count) + (passed ? "" : hint());
	}

	private String hint() {
		boolean turnedAway = this.measures.turnedAway.sum() > 0
				|| this.measures.errors().keySet().stream().anyMatch((kind) -> kind.contains("turned away"));
		return turnedAway ? " The server turned sessions away at its limits, chat.limits.connects-per-second or"
				+ " chat.limits.sessions: raise them if it should accept more." : "";
	}

	private void print(boolean passed, String title, long held, double seconds, Generator.Use use) {
		Report report = new Report(System.out, this.measures);
		report.line("");
		report.title(passed, title);
		report.latencies();
		report.line("%-34s %.2f s, the goal for all is %.2f s", "until the last one was live", seconds,
				this.options.within.toMillis() / 1e3);
		report.line("%-34s %,d times", "turned away, reconnected", this.measures.turnedAway.sum());
		report.counts(this.options.sessions, false, held, this.measures.delivered.sum() * 1e9 / use.nanos());
		report.generator(use.cores());
	}

	@Override
	public void close() {
		this.sessions.close();
	}

}
