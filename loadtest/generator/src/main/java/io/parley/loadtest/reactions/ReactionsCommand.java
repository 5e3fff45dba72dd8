package io.parley.loadtest.reactions;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest reactions}: all users of one room react to one message, while
 * others write in the room.
 */
@Command(name = "reactions",
		description = "All users of one room give reactions to one message and take them back, again and again, while"
				+ " messages are sent. Each round has the same time without reactions before it. Reports the latency of"
				+ " the messages in both, the events that the reactions caused, and whether the counts are exact.",
		mixinStandardHelpOptions = true)
public final class ReactionsCommand extends TargetCommand {

	@Option(names = "--users", description = "Users, each with one session. Default: ${DEFAULT-VALUE}")
	int users = 300;

	@Option(names = "--per-user", description = "Reactions of each user a second. The server has a limit,"
			+ " chat.limits.reactions-per-second. Default: ${DEFAULT-VALUE}")
	double perUser = 1;

	@Option(names = "--rate",
			description = "Messages a second in the room, on average: they are sent at random times. Default: ${DEFAULT-VALUE}")
	double rate = 5;

	@Option(names = "--rounds", description = "Rounds, each without and with reactions. Default: ${DEFAULT-VALUE}")
	int rounds = 3;

	@Option(names = "--servers",
			description = "Servers behind the address: each may send one event a second. Default: ${DEFAULT-VALUE}")
	int servers = 1;

	@Option(names = "--connect-rate", description = "New sessions a second. Default: ${DEFAULT-VALUE}")
	double connectRate = 100;

	@Option(names = "--warmup", description = "How long to send and react before the first round. Default: 5s")
	Duration warmup = Duration.ofSeconds(5);

	@Option(names = "--hold", description = "The length of each part of a round. Default: 10s")
	Duration hold = Duration.ofSeconds(10);

	@Option(names = "--drain", description = "How long to wait after each part for missing deliveries. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	@Override
	protected Duration length() {
		return this.hold.plus(this.drain).multipliedBy(2L * this.rounds).plus(this.warmup).plusSeconds(60);
	}

	@Override
	protected void check() {
		Preconditions.require(this.users > 0 && this.rounds > 0 && this.servers > 0 && this.connectRate > 0,
				"--users, --rounds, --servers and --connect-rate must be above 0.");
		Preconditions.require(this.perUser > 0 && this.rate > 0, "--per-user and --rate must be above 0.");
		Preconditions.require(this.hold.isPositive() && !this.warmup.isNegative(),
				"--hold must be above 0, and --warmup not below 0.");
		Preconditions.checkSessions(this.users, 1, this.users);
		Preconditions.checkTarget(this.target, this.users);
	}

	@Override
	protected List<Account> signUp(String run) {
		return signUp(run, 1, this.users);
	}

	@Override
	protected RunReport run(Trial trial, List<Account> accounts) {
		try (ReactionsTrial reactions = new ReactionsTrial(this, this.target, trial, accounts)) {
			return reactions.run();
		}
	}

}
