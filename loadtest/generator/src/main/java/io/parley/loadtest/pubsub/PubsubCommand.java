package io.parley.loadtest.pubsub;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest pubsub}: sends messages in rooms at constant rates.
 */
@Command(name = "pubsub",
		description = "Sends messages in rooms at a constant rate and times and checks every delivery. The latency counts"
				+ " from when a message should have been sent.",
		mixinStandardHelpOptions = true)
public final class PubsubCommand extends TargetCommand {

	/** The server accepts at most 16,384 bytes for a whole message. */
	private static final int LARGEST_TEXT = 16_000;

	@Option(names = "--rooms", description = "Group rooms. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--members", description = "Sessions in each room. Default: ${DEFAULT-VALUE}")
	int members = 100;

	@Option(names = "--publishers", description = "Number of sessions of each room that send, in turn. Default: all")
	int publishers;

	@Option(names = "--users", description = "Users that the sessions belong to. Default: one for 15 sessions")
	int users;

	@Option(names = "--rate", description = "Messages a second of each room. Default: ${DEFAULT-VALUE}")
	double rate = 1;

	@Option(names = "--steps", split = ",", paramLabel = "<messages/s>",
			description = "Instead of --rate: messages a second over all rooms, one step after the other, such as"
					+ " 10,50,100. Produces the curve of latency against load; ends at the first step that" + " fails.")
	double @Nullable [] steps;

	@Option(names = "--size", description = "Bytes of text of each message, padded. Default: the minimum")
	int size;

	@Option(names = "--connect-rate", description = "New sessions a second. Default: ${DEFAULT-VALUE}")
	double connectRate = 200;

	@Option(names = "--warmup",
			description = "How long to send at the rate of the first step before it, not counted. Default: 5s")
	Duration warmup = Duration.ofSeconds(5);

	@Option(names = "--hold", description = "How long to send in each step. Default: 30s")
	Duration hold = Duration.ofSeconds(30);

	@Option(names = "--drain", description = "How long to wait after each step for missing deliveries. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	int sessions() {
		return this.rooms * this.members;
	}

	private int users() {
		return Population.users(this.users, sessions(), this.rooms);
	}

	/**
	 * Returns the messages per second over all rooms, for each step.
	 */
	double[] totals() {
		return (this.steps != null) ? this.steps : new double[] { this.rate * this.rooms };
	}

	@Override
	protected Duration length() {
		Duration step = this.hold.plus(this.drain);
		return step.multipliedBy(totals().length)
			.plus(this.warmup)
			.plusSeconds((long) (sessions() / this.connectRate) + 1);
	}

	@Override
	protected void check() {
		Preconditions.require(this.rooms > 0 && this.members > 0 && this.connectRate > 0,
				"--rooms, --members and --connect-rate must be above 0.");
		Preconditions.require(this.publishers >= 0 && this.publishers <= this.members,
				"--publishers must not be above --members.");
		Preconditions.require(this.size >= 0 && this.size <= LARGEST_TEXT,
				"--size must not be above %,d: the server accepts no larger message.", LARGEST_TEXT);
		for (double total : totals()) {
			Preconditions.require(total > 0, "--rate and each of --steps must be above 0.");
		}
		Preconditions.checkSessions(sessions(), this.rooms, users());
		Preconditions.checkTarget(this.target, sessions());
	}

	@Override
	protected List<Account> signUp(String run) {
		return signUp(run, this.rooms, users());
	}

	@Override
	protected RunReport run(Trial trial, List<Account> accounts) {
		try (PubsubTrial pubsub = new PubsubTrial(this, this.target, trial)) {
			return pubsub.run(accounts);
		}
	}

}
