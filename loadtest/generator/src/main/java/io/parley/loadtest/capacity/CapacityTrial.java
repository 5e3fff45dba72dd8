package io.parley.loadtest.capacity;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.measure.Verdicts;
import io.parley.loadtest.session.Dialect;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.Sessions;
import io.parley.loadtest.user.Account;

/**
 * One trial of the search: connects and subscribes a number of sessions, holds them with
 * heart-beats and a few messages, and closes them.
 */
final class CapacityTrial {

	private final Measures measures = new Measures();

	private final CapacityOptions options;

	private final ServerUnderTest server;

	private final int count;

	/**
	 * The result of a trial.
	 *
	 * @param passed whether the trial had no failure of any kind
	 * @param valid whether the generator had capacity left
	 * @param p99 of the deliveries, in milliseconds
	 * @param subscribedP99 of the subscriptions, in milliseconds
	 * @param wrong descriptions of the failures
	 * @param limits descriptions of the limits that were reached
	 * @param facts about the server and the generator
	 */
	record Result(int sessions, boolean passed, boolean valid, double p99, double subscribedP99, List<String> wrong,
			List<String> limits, String facts, TimeLine timeLine, Measures measures) {

		boolean passedWithin(Duration limit) {
			return this.passed && this.p99 <= limit.toMillis();
		}

	}

	CapacityTrial(CapacityOptions options, ServerUnderTest server, int count) {
		this.options = options;
		this.server = server;
		this.count = count;
	}

	/**
	 * Runs the trial.
	 * @param run a name that no other trial at this server has used
	 * @param accounts the users that the sessions belong to, in turn
	 */
	Result run(String run, List<Account> accounts) {
		Dialect dialect = new ParleyDialect(run, this.measures);
		Bottleneck bottleneck = new Bottleneck(this.server, this.measures);
		try (Sessions sessions = new Sessions(this.server.target(), this.count, dialect, this.measures)) {
			boolean live = sessions.connect(withEmptyLedgers(accounts), this.count, this.options.connectRate, run);
			if (live) {
				sessions.progress().phase("holding", this.options.hold);
				bottleneck.begin(this.measures);
				new Publisher(sessions.all(), run, this.measures).holdFor(this.options.rate, this.options.hold);
			}
			// Measured before the sessions leave, while their files and their memory are
			// still in use.
			bottleneck.end(this.measures);
			if (live) {
				sessions.drain(this.options.drain);
			}
			sessions.leave(this.options.drain);
			boolean passed = live && this.measures.passed(this.count) && !Interrupt.requested();
			return new Result(this.count, passed, bottleneck.isGeneratorFine(),
					Latencies.millis(this.measures.delivering, 99), Latencies.millis(this.measures.subscribing, 99),
					Verdicts.wrong(this.measures, this.count),
					passed ? List.of() : bottleneck.limitsReached(this.measures), bottleneck.facts(),
					sessions.timeLine(), this.measures);
		}
	}

	/**
	 * Returns the same users and rooms with empty ledgers.
	 */
	private static List<Account> withEmptyLedgers(List<Account> accounts) {
		Map<String, RoomLedger> rooms = new HashMap<>();
		return accounts.stream()
			.map((account) -> new Account(account.username(), account.token(), account.tokenSeconds(),
					rooms.computeIfAbsent(account.room().id(), RoomLedger::new)))
			.toList();
	}

	/**
	 * Returns one line for the console.
	 */
	static String line(int number, Result result) {
		String outcome = result.passed() ? "held" : "failed (" + String.join(", ", result.wrong()) + ")";
		return String.format(Locale.ROOT, "trial %d: %,d sessions %s; delivery p99 %.1f ms, subscribed p99 %.1f ms; %s",
				number, result.sessions(), outcome, result.p99(), result.subscribedP99(), result.facts());
	}

}
