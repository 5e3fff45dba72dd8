package io.parley.loadtest.ledger;

import java.net.URI;
import java.time.Duration;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.trial.Refusals;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of {@code ledger}.
 */
final class LedgerOptions {

	private static final int MAX_SENDS_PER_USER = 10;

	@Mixin
	Target target = new Target();

	@Option(names = "--rooms", description = "Group rooms. Default: ${DEFAULT-VALUE}")
	int rooms = 12;

	@Option(names = "--users",
			description = "Users, each with one session that sends and follows its room. Default: ${DEFAULT-VALUE}")
	int users = 60;

	@Option(names = "--rate", description = "Messages a second over all users. Default: ${DEFAULT-VALUE}")
	double rate = 500;

	@Option(names = "--duration", converter = Span.class, description = "How long to send, as 30s or 5m. Default: 30s")
	Duration duration = Duration.ofSeconds(30);

	@Option(names = "--settle", converter = Span.class,
			description = "How long to wait afterwards for each of receipts, the reader and deliveries. Default:"
					+ " 120s")
	Duration settle = Duration.ofSeconds(120);

	@Option(names = "--persistence",
			description = "Metrics of the persistence-worker, such as http://host:9090/actuator/prometheus:"
					+ " compare when it has stored all messages. Default: compare as soon as all are confirmed")
	@Nullable URI persistence;

	/**
	 * Checks that the options are valid together.
	 * @throws io.parley.loadtest.cli.RefusedException with the change to make
	 */
	void check() {
		Refusals.require(this.users > 0 && this.rooms > 0 && this.rate > 0,
				"--users, --rooms and --rate must be above 0.");
		Refusals.require(this.rooms <= this.users, "--rooms must not be above --users: a room needs a user.");
		Refusals.require(this.rate <= this.users * MAX_SENDS_PER_USER,
				"A user may send 20 messages a second, half of that is kept for retries: --rate %s needs --users %d or more.",
				this.rate, (int) Math.ceil(this.rate / MAX_SENDS_PER_USER));
		Refusals.checkTarget(this.target, this.users);
	}

}
