package io.parley.loadtest.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.parley.loadtest.ledger.LedgerTrial.Cuts;
import io.parley.loadtest.ledger.LedgerTrial.Load;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest resume}: cuts connections and checks that no event is missing
 * afterwards.
 */
@Command(name = "resume",
		description = "Sends messages, cuts connections without a DISCONNECT, resumes after the last position, and"
				+ " checks that no event is lost or delivered twice. Reports the time to catch up.",
		mixinStandardHelpOptions = true)
public final class ResumeCommand extends TargetCommand {

	@Option(names = "--sessions", description = "Sessions that follow a room and send to it. Default: ${DEFAULT-VALUE}")
	int sessions = 100;

	@Option(names = "--rooms", description = "Group rooms that the sessions spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--users", description = "Users that the sessions belong to. Default: one for 15 sessions")
	int users;

	@Option(names = "--rate", description = "Messages a second over all rooms. Default: ${DEFAULT-VALUE}")
	double rate = 20;

	@Option(names = "--cut",
			description = "Share of the connections that are cut in each round. Default: ${DEFAULT-VALUE}")
	double cut = 0.5;

	@Option(names = "--rounds", description = "How often connections are cut. Default: ${DEFAULT-VALUE}")
	int rounds = 3;

	@Option(names = "--every", description = "Time between two rounds. Default: 5s")
	Duration every = Duration.ofSeconds(5);

	@Option(names = "--settle",
			description = "How long to wait at the end for each of receipts and deliveries. Default: 60s")
	Duration settle = Duration.ofSeconds(60);

	private int users() {
		return Population.users(this.users, this.sessions, this.rooms);
	}

	private Duration duration() {
		return this.every.multipliedBy(this.rounds + 1L);
	}

	@Override
	protected void check() {
		Preconditions.require(this.cut > 0 && this.cut <= 1, "--cut is a share above 0 and up to 1, as 0.5.");
		Preconditions.require(this.rounds > 0 && this.rate > 0 && this.every.isPositive(),
				"--rounds, --rate and --every must be above 0.");
		Preconditions.checkSessions(this.sessions, this.rooms, users());
		LedgerTrial.checkRate(this.rate, users());
		Preconditions.checkTarget(this.target, this.sessions);
	}

	@Override
	protected List<Account> signUp(String run) {
		return signUp(run, this.rooms, users());
	}

	@Override
	protected Duration length() {
		return duration().plus(this.settle);
	}

	@Override
	protected RunReport run(Trial trial, List<Account> users) {
		List<Account> accounts = IntStream.range(0, this.sessions)
			.mapToObj((n) -> users.get(n % users.size()))
			.toList();
		Load load = new Load(this.rate, duration(), this.settle, null, new Cuts(this.cut, this.rounds, this.every));
		try (LedgerTrial ledger = new LedgerTrial(this.target, load, trial, accounts)) {
			return ledger.run(String.format(Locale.ROOT,
					"resume, %,d sessions of %,d users in %,d rooms, %s messages/s, %.0f %% cut %d times",
					this.sessions, users(), this.rooms, this.rate, 100 * this.cut, this.rounds));
		}
	}

}
