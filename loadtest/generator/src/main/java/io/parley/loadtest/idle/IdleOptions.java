package io.parley.loadtest.idle;

import java.time.Duration;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.user.Population;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of {@code idle}.
 */
@JsonAutoDetect(fieldVisibility = Visibility.ANY)
final class IdleOptions {

	private static final int MAX_PROCESSES = 8;

	/** The server, which the command has as its own options. */
	Target target = new Target();

	@Option(names = "--sessions", description = "How many to connect and hold. Default: ${DEFAULT-VALUE}")
	int sessions = 1000;

	@Option(names = "--rooms", description = "Group rooms that the sessions spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--users", description = "Users that the sessions belong to. Default: one for 15 sessions")
	int users;

	@Option(names = "--away",
			description = "More members of each room who stay offline, each with a device: the server pushes to them."
					+ " Default: 0")
	int away;

	@Option(names = "--connect-rate", description = "New sessions a second. Default: ${DEFAULT-VALUE}")
	double connectRate = 200;

	@Option(names = "--hold", description = "How long to hold all sessions, as 60s, 5m or 1h. Default: 60s")
	Duration hold = Duration.ofSeconds(60);

	@Option(names = "--rate", description = "Messages a second over all rooms during the hold. Default: 1")
	double rate = 1;

	@Option(names = "--drain", description = "How long to wait at the end for missing deliveries. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	@Option(names = "--warmup",
			description = "How long to send at the full rate before the hold, not counted. Default: 0s")
	Duration warmup = Duration.ZERO;

	@Option(names = "--plain",
			description = "The server speaks STOMP at /ws, but not Parley's protocol: no users, receipts,"
					+ " positions. Messages sent to --send-to must arrive at /topic/rooms.{room} as JSON with"
					+ " the same text.")
	boolean plain;

	@Option(names = "--login", description = "With --plain: the login in CONNECT. Default: none")
	@Nullable String login;

	@Option(names = "--passcode", description = "With --plain: the passcode in CONNECT. Default: none")
	@Nullable String passcode;

	@Option(names = "--virtual-host",
			description = "With --plain: the host in CONNECT, a broker's virtual host. Default: that of --url")
	@Nullable String virtualHost;

	@Option(names = "--send-to",
			description = "With --plain: destination of messages, where {room} is the room. For RabbitMQ"
					+ " Web-STOMP: /topic/rooms.{room}. Default: ${DEFAULT-VALUE}")
	String sendTo = "/app/rooms.{room}.send";

	@Option(names = "--processes",
			description = "Processes that hold the sessions, each with its own rooms; their measurements are"
					+ " merged. --sessions, --rate and --connect-rate are totals over all processes. Default:"
					+ " ${DEFAULT-VALUE}")
	int processes = 1;

	/**
	 * Returns the number of users: at least one per room, and by default the same number
	 * in each.
	 */
	int users() {
		return Population.users(this.users, this.sessions, this.rooms);
	}

	/**
	 * Returns the host for CONNECT when the server does not speak Parley's protocol.
	 */
	String virtualHost() {
		return (this.virtualHost != null) ? this.virtualHost : this.target.url.getHost();
	}

	/**
	 * Returns the time for connecting, warm-up and hold, without signing up.
	 */
	Duration length() {
		return this.hold.plus(this.warmup).plusSeconds((long) (this.sessions / this.connectRate) + 1);
	}

	/**
	 * Checks that the options are valid together.
	 * @throws io.parley.loadtest.cli.LoadTestException with the change to make
	 */
	void check() {
		Preconditions.require(this.sessions > 0 && this.rooms > 0 && this.connectRate > 0 && this.rate >= 0,
				"--sessions, --rooms and --connect-rate must be above 0, and --rate not below 0.");
		Preconditions.require(this.rooms <= this.sessions,
				"--rooms must not be above --sessions: a room needs a session.");
		Preconditions.require(!this.plain || this.users == 0 && this.away == 0,
				"There are no users with --plain: omit --users and --away.");
		Preconditions.require(this.away >= 0, "--away must not be below 0.");
		Preconditions.require(this.plain || (this.login == null && this.passcode == null),
				"--login and --passcode need --plain: at a Parley server the kit signs up its own users.");
		if (!this.plain) {
			Preconditions.checkSessions(this.sessions, this.rooms, users());
		}
		checkProcesses();
	}

	private void checkProcesses() {
		Preconditions.require(this.processes > 0 && this.processes <= MAX_PROCESSES,
				"--processes must be from 1 to %d: more processes only compete for processor time.", MAX_PROCESSES);
		Preconditions.require(this.processes <= this.rooms,
				"Each process has whole rooms, so that it can check their order: --processes %d needs --rooms %d or more.",
				this.processes, this.processes);
		Preconditions.checkTarget(this.target, GeneratorPlan.largestShare(this));
	}

}
