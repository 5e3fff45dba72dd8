package io.parley.loadtest.life;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

import io.parley.loadtest.cli.Target;
import io.parley.loadtest.trial.Preconditions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code life}.
 */
final class LifeOptions {

	/** Sockets and requests at once of each user. */
	private static final int FILES_PER_USER = 2;

	private static final double MINUTES_BETWEEN_MESSAGES = 2;

	@Option(names = "--users", description = "Users, each with the page open once. Default: ${DEFAULT-VALUE}")
	int users = 300;

	@Option(names = "--rooms-per-user",
			description = "Rooms of each user: two fifths direct, three of 20 are channels, the rest groups. Most are"
					+ " quiet. Default: ${DEFAULT-VALUE}")
	int roomsPerUser = 20;

	@Option(names = "--people", paramLabel = "<file>",
			description = "Users and rooms of an earlier run, with passwords. Written when it does not exist.")
	@Nullable Path people;

	@Option(names = "--prepare", description = "Only sign up the users, create the rooms and write --people.")
	boolean prepare;

	@Option(names = "--connect-rate", description = "New connections a second. Default: ${DEFAULT-VALUE}")
	double connectRate = 20;

	@Option(names = "--rate",
			description = "Messages a second over all users, each after 4 s of typing. Default: one for each user in"
					+ " 2 minutes")
	double rate = -1;

	@Option(names = "--looking",
			description = "Share of the users who look at their open room and so send read markers. Default:"
					+ " ${DEFAULT-VALUE}")
	double looking = 0.3;

	@Option(names = "--replies",
			description = "Share of the messages that are replies in the thread of the newest message of the room."
					+ " Default: ${DEFAULT-VALUE}")
	double replies = 0.1;

	@Option(names = "--reactions",
			description = "Reactions for each message, to the newest message of the room that a user has open. Default:"
					+ " ${DEFAULT-VALUE}")
	double reactions = 0.3;

	@Option(names = "--edits",
			description = "Share of the messages after which the author edits the own last one. Default:"
					+ " ${DEFAULT-VALUE}")
	double edits = 0.05;

	@Option(names = "--deletions",
			description = "Share of the messages after which the author deletes the own last one. Default:"
					+ " ${DEFAULT-VALUE}")
	double deletions = 0.01;

	@Option(names = "--switches",
			description = "How often a user opens another room per minute. Default: ${DEFAULT-VALUE}")
	double switches = 0.5;

	@Option(names = "--reconnects",
			description = "Share of the users whose connection is cut per minute. Default: ${DEFAULT-VALUE}")
	double reconnects = 0.05;

	@Option(names = "--rejoins",
			description = "Share of the users who leave a channel per minute, and join it again. Default:"
					+ " ${DEFAULT-VALUE}")
	double rejoins = 0.01;

	@Option(names = "--storm", description = "Cut all connections at once in the middle of the hold.")
	boolean storm;

	@Option(names = "--rolling",
			description = "The servers are replaced during the hold, as by scripts/rolling-restart.sh: a connection that"
					+ " a server closes with 1001, and an attempt to connect that fails, are counted and are no errors.")
	boolean rolling;

	@Option(names = "--costs", paramLabel = "<times>",
			description = "Before the hold, do each action so many times alone and count the statements of the"
					+ " database; 0 for not at all. Default: ${DEFAULT-VALUE}")
	int costs = 20;

	@Option(names = "--warmup", description = "How long to send before the hold, not counted. Default: 5s")
	Duration warmup = Duration.ofSeconds(5);

	@Option(names = "--hold", description = "How long to hold, as 60s, 5m or 1h. Default: 60s")
	Duration hold = Duration.ofSeconds(60);

	@Option(names = "--drain", description = "How long to wait at the end for missing deliveries. Default: 30s")
	Duration drain = Duration.ofSeconds(30);

	@Option(names = "--live-within", description = "How long all users may take to be live at the start. Default: 120s")
	Duration liveWithin = Duration.ofSeconds(120);

	@Option(names = "--management", paramLabel = "<url>",
			description = "Management port of the server, with its metrics. Default: ${DEFAULT-VALUE}")
	URI management = URI.create("http://127.0.0.1:9090");

	@Option(names = "--seed", description = "Of the plan of rooms and of how busy they are. Default: ${DEFAULT-VALUE}")
	long seed = 1;

	double rate() {
		return (this.rate >= 0) ? this.rate : this.users / (60 * MINUTES_BETWEEN_MESSAGES);
	}

	/**
	 * Checks that the options are valid together and fit the target.
	 * @throws io.parley.loadtest.cli.LoadTestException with the change to make
	 */
	void check(Target target) {
		Preconditions.require(this.users >= 2 && this.roomsPerUser >= 1 && this.connectRate > 0,
				"--users must be 2 or more, --rooms-per-user 1 or more, and --connect-rate above 0.");
		Preconditions.require(
				isShare(this.looking) && isShare(this.reconnects) && isShare(this.rejoins) && isShare(this.replies)
						&& isShare(this.edits) && isShare(this.deletions),
				"--looking, --reconnects, --rejoins, --replies, --edits and --deletions are shares between 0 and 1, as"
						+ " 0.05.");
		Preconditions.require(this.switches >= 0 && this.costs >= 0 && this.reactions >= 0,
				"--switches, --costs and --reactions must not be below 0.");
		Preconditions.require(this.hold.isPositive() && !this.warmup.isNegative(),
				"--hold must be above 0, and --warmup not below 0.");
		Preconditions.require(!this.prepare || this.people != null, "--prepare needs --people, the file to write.");
		Preconditions.checkTarget(target, FILES_PER_USER * this.users);
	}

	private static boolean isShare(double value) {
		return value >= 0 && value <= 1;
	}

}
