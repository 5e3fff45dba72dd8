package io.parley.loadtest.connect;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.Population;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest connect}: opens and closes sessions at a constant rate.
 */
@Command(name = "connect",
		description = "Opens sessions at a constant rate; each subscribes to a room, stays for --hold and"
				+ " disconnects.",
		mixinStandardHelpOptions = true)
public final class ConnectCommand extends TargetCommand {

	/**
	 * Time allowance for a session in addition to its hold. A session takes much less if
	 * the server keeps up.
	 */
	private static final int SECONDS_OF_A_SESSION = 5;

	@Option(names = "--connect-rate", description = "New sessions a second. Default: ${DEFAULT-VALUE}")
	double connectRate = 100;

	@Option(names = "--duration", description = "How long to open sessions, as 60s, 5m or 1h. Default: 60s")
	Duration duration = Duration.ofSeconds(60);

	@Option(names = "--hold", description = "How long a session stays after it is subscribed. Default: 0s")
	Duration hold = Duration.ZERO;

	@Option(names = "--rooms", description = "Group rooms that the sessions spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--users",
			description = "Users that the sessions belong to. Default: as many as needed, because the server"
					+ " allows 20 concurrent sessions per user")
	int users;

	@Option(names = "--drain", description = "How long to wait for the last sessions to end. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	/**
	 * Returns the largest number of concurrent sessions to expect if the server keeps up.
	 */
	int maxSessions() {
		return (int) Math.ceil(this.connectRate * (this.hold.toMillis() / 1000.0 + SECONDS_OF_A_SESSION));
	}

	@Override
	protected void check() {
		Preconditions.require(this.connectRate > 0 && this.rooms > 0, "--connect-rate and --rooms must be above 0.");
		Preconditions.checkTarget(this.target, maxSessions());
	}

	@Override
	protected List<Account> signUp(String run) {
		int wanted = (this.users > 0) ? this.users : Math.ceilDiv(maxSessions(), Population.SESSIONS_PER_USER);
		return signUp(run, this.rooms, Math.max(wanted, this.rooms));
	}

	@Override
	protected Duration length() {
		return this.duration.plus(this.hold);
	}

	@Override
	protected RunReport run(Trial trial, List<Account> accounts) {
		try (ConnectTrial connect = new ConnectTrial(this, this.target, trial)) {
			return connect.run(accounts);
		}
	}

}
