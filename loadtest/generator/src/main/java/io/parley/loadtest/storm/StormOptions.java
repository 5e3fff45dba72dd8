package io.parley.loadtest.storm;

import java.time.Duration;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.user.Population;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of {@code storm}.
 */
final class StormOptions {

	private static final Duration MIN_TIMEOUT = Duration.ofSeconds(60);

	@Mixin
	Target target = new Target();

	@Option(names = "--sessions", description = "Sessions to open at once. Default: ${DEFAULT-VALUE}")
	int sessions = 1000;

	@Option(names = "--rooms", description = "Group rooms that the sessions spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 1;

	@Option(names = "--users", description = "Users that the sessions belong to. Default: one for 15 sessions")
	int users;

	@Option(names = "--within", converter = Span.class,
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

	@Option(names = "--hold", converter = Span.class,
			description = "How long to send and hold after that. Default: 30s")
	Duration hold = Duration.ofSeconds(30);

	@Option(names = "--drain", converter = Span.class,
			description = "How long to wait at the end for missing deliveries. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	int users() {
		return Population.users(this.users, this.sessions, this.rooms);
	}

	/**
	 * Returns the time limit of a session. It is much longer than the goal, so that the
	 * run shows the actual time.
	 */
	Duration sessionTimeout() {
		Duration timeout = this.within.multipliedBy(3);
		return (timeout.compareTo(MIN_TIMEOUT) > 0) ? timeout : MIN_TIMEOUT;
	}

}
