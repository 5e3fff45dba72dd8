package io.parley.loadtest.ledger;

import java.time.Duration;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.user.Population;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of {@code resume}.
 */
final class ResumeOptions {

	@Mixin
	Target target = new Target();

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

	@Option(names = "--every", converter = Span.class, description = "Time between two rounds. Default: 5s")
	Duration every = Duration.ofSeconds(5);

	@Option(names = "--settle", converter = Span.class,
			description = "How long to wait at the end for each of receipts and deliveries. Default: 60s")
	Duration settle = Duration.ofSeconds(60);

	int users() {
		return Population.users(this.users, this.sessions, this.rooms);
	}

	void check() {
		Refusals.require(this.cut > 0 && this.cut <= 1, "--cut is a share above 0 and up to 1, as 0.5.");
		Refusals.require(this.rounds > 0 && this.rate > 0 && this.every.isPositive(),
				"--rounds, --rate and --every must be above 0.");
		Refusals.checkSessions(this.sessions, this.rooms, users());
		Refusals.require(this.rate <= 10.0 * users(),
				"A user may send 20 messages a second, half of that is kept for retries: --rate %s needs --users %d or more.",
				this.rate, (int) Math.ceil(this.rate / 10));
		ledger().check();
	}

	/**
	 * Returns the options of the ledger run that checks for missing events.
	 */
	LedgerOptions ledger() {
		LedgerOptions ledger = new LedgerOptions();
		ledger.target = this.target;
		ledger.rooms = this.rooms;
		ledger.users = this.sessions;
		ledger.rate = this.rate;
		ledger.duration = this.every.multipliedBy(this.rounds + 1L);
		ledger.settle = this.settle;
		return ledger;
	}

}
