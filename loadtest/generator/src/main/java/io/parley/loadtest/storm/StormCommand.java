package io.parley.loadtest.storm;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.SessionGroup;
import io.parley.loadtest.trial.ConsoleReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest storm}: opens all sessions at the same moment. The run passes
 * when all are live within the goal and there is no failure afterwards.
 */
@Command(name = "storm",
		description = "Opens all sessions at once, as after a restart, and reports the time until all are subscribed;"
				+ " then sends a little and checks every delivery.",
		mixinStandardHelpOptions = true)
public final class StormCommand extends TargetCommand {

	private static final Duration MIN_TIMEOUT = Duration.ofSeconds(60);

	/** Rate that starts all sessions in the same millisecond. */
	private static final double AT_ONCE = 1e9;

	private static final double PRACTICE_PER_SECOND = 500;

	@Option(names = "--sessions", description = "Sessions to open at once. Default: ${DEFAULT-VALUE}")
	int sessions = 1000;

	@Option(names = "--rooms", description = "Group rooms that the sessions spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 1;

	@Option(names = "--users", description = "Users that the sessions belong to. Default: one for 15 sessions")
	int users;

	@Option(names = "--within",
			description = "How soon all must be subscribed; the run fails when it takes longer. Default: 10s")
	Duration within = Duration.ofSeconds(10);

	@Option(names = "--practice",
			description = "Sessions that are opened and closed before, 500 a second, so that the code of server and"
					+ " generator is compiled, as on a server that has run for a while. They are not counted. Default:"
					+ " ${DEFAULT-VALUE}")
	int practice;

	@Option(names = "--no-retry",
			description = "Count sessions that the server turns away (503) as errors. Without it they reconnect as the"
					+ " protocol requires of clients, after a random time that grows.")
	boolean noRetry;

	@Option(names = "--rate", description = "Messages a second over all rooms when all are live. Default: 1")
	double rate = 1;

	@Option(names = "--hold", description = "How long to send and hold after that. Default: 30s")
	Duration hold = Duration.ofSeconds(30);

	@Option(names = "--drain", description = "How long to wait at the end for missing deliveries. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	private int users() {
		return Population.users(this.users, this.sessions, this.rooms);
	}

	/**
	 * Returns the time limit of a session. It is much longer than the goal, so that the
	 * run shows the actual time.
	 */
	private Duration sessionTimeout() {
		Duration timeout = this.within.multipliedBy(3);
		return (timeout.compareTo(MIN_TIMEOUT) > 0) ? timeout : MIN_TIMEOUT;
	}

	@Override
	protected void check() {
		Preconditions.checkSessions(this.sessions, this.rooms, users());
		Preconditions.require(this.rate >= 0, "--rate must not be below 0.");
		Preconditions.require(this.practice >= 0 && this.practice <= this.sessions,
				"--practice must be between 0 and --sessions.");
		Preconditions.checkTarget(this.target, this.sessions);
	}

	@Override
	protected List<Account> signUp(String run) {
		return signUp(run, this.rooms, users());
	}

	@Override
	protected Duration length() {
		return sessionTimeout().plus(this.hold);
	}

	@Override
	protected RunReport run(Trial trial, List<Account> accounts) {
		practice(trial.run, accounts);
		Measures measures = trial.measures;
		try (SessionGroup all = sessions(this.sessions, trial.run, measures)) {
			boolean live = all.connect(accounts, AT_ONCE);
			double seconds = measures.subscribing.getMaxValue() / 1e6;
			Generator.Use use = live ? hold(all, trial) : Generator.Use.NONE;
			long held = measures.live.sum();
			all.leave(this.drain);
			boolean inTime = live && seconds <= this.within.toMillis() / 1e3;
			boolean passed = inTime && measures.passed(this.sessions);
			String title = String.format(Locale.ROOT,
					"storm, %,d sessions of %,d users in %,d rooms at once, hold %d s, %s messages/s (run %s)",
					this.sessions, users(), this.rooms, this.hold.toSeconds(), this.rate, trial.run);
			print(trial, passed, title, held, seconds, use);
			if (live) {
				trial.lower("until all were live", seconds, "s");
			}
			return trial.lower("subscribed p99", Latencies.millis(measures.subscribing, 99), "ms")
				.lower("turned away", measures.turnedAway.sum(), "")
				.generator(use.cores())
				.add(measures, all.timeLine())
				.finish(passed, title, verdict(measures, passed, live && !inTime, seconds));
		}
	}

	private SessionGroup sessions(int count, String run, Measures measures) {
		return new SessionGroup(this.target, count, new ParleyDialect(run, measures), measures, sessionTimeout(),
				!this.noRetry);
	}

	private void practice(String run, List<Account> accounts) {
		if (this.practice > 0) {
			try (SessionGroup passing = sessions(this.practice, run, new Measures())) {
				passing.connect(accounts, PRACTICE_PER_SECOND);
				passing.leave(this.drain);
			}
		}
	}

	private Generator.Use hold(SessionGroup all, Trial trial) {
		Publisher publisher = new Publisher(all.all(), trial.run, trial.measures);
		Generator.Use use = all.hold(publisher, this.rate, this.hold);
		all.drain(this.drain);
		return use;
	}

	private String verdict(Measures measures, boolean passed, boolean late, double seconds) {
		if (late && measures.passed(this.sessions)) {
			return String.format(Locale.ROOT, "all %,d were live after %.1f s, the goal is %.1f s.%s", this.sessions,
					seconds, this.within.toMillis() / 1e3, hint(measures));
		}
		String live = String.format(Locale.ROOT, "all %,d sessions were live after %.2f s", this.sessions, seconds);
		return measures.verdict(passed, live, this.sessions) + (passed ? "" : hint(measures));
	}

	private static String hint(Measures measures) {
		boolean turnedAway = measures.turnedAway.sum() > 0
				|| measures.errors().keySet().stream().anyMatch((kind) -> kind.contains("turned away"));
		return turnedAway ? " The server turned sessions away at its limits, chat.limits.connects-per-second or"
				+ " chat.limits.sessions: raise them if it should accept more." : "";
	}

	private void print(Trial trial, boolean passed, String title, long held, double seconds, Generator.Use use) {
		ConsoleReport console = trial.console;
		console.title(passed, title);
		console.latencies();
		console.line("%-34s %.2f s, the goal for all is %.2f s", "until the last one was live", seconds,
				this.within.toMillis() / 1e3);
		console.line("%-34s %,d times", "turned away, reconnected", trial.measures.turnedAway.sum());
		console.counts(this.sessions, false, held, use.perSecond(trial.measures.delivered.sum()));
		console.generator("this generator", Generator.heap(), use.cores());
	}

}
