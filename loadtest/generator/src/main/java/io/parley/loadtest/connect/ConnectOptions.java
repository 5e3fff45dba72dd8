package io.parley.loadtest.connect;

import java.time.Duration;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.user.Population;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of {@code connect}.
 */
final class ConnectOptions {

	/**
	 * Time allowance for a session in addition to its hold. A session takes much less if
	 * the server keeps up.
	 */
	private static final int SECONDS_OF_A_SESSION = 5;

	@Mixin
	Target target = new Target();

	@Option(names = "--connect-rate", description = "New sessions a second. Default: ${DEFAULT-VALUE}")
	double connectRate = 100;

	@Option(names = "--duration", converter = Span.class,
			description = "How long to open sessions, as 60s, 5m or 1h. Default: 60s")
	Duration duration = Duration.ofSeconds(60);

	@Option(names = "--hold", converter = Span.class,
			description = "How long a session stays after it is subscribed. Default: 0s")
	Duration hold = Duration.ZERO;

	@Option(names = "--rooms", description = "Group rooms that the sessions spread over. Default: ${DEFAULT-VALUE}")
	int rooms = 10;

	@Option(names = "--users",
			description = "Users that the sessions belong to. Default: as many as needed, because the server"
					+ " allows 20 concurrent sessions per user")
	int users;

	@Option(names = "--drain", converter = Span.class,
			description = "How long to wait for the last sessions to end. Default: 10s")
	Duration drain = Duration.ofSeconds(10);

	/**
	 * Returns the largest number of concurrent sessions to expect if the server keeps up.
	 */
	int atOnce() {
		return (int) Math.ceil(this.connectRate * (this.hold.toMillis() / 1000.0 + SECONDS_OF_A_SESSION));
	}

	int users() {
		int wanted = (this.users > 0) ? this.users : Math.ceilDiv(atOnce(), Population.SESSIONS_PER_USER);
		return Math.max(wanted, this.rooms);
	}

}
