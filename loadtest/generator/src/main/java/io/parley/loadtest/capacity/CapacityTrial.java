package io.parley.loadtest.capacity;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.SessionGroup;
import io.parley.loadtest.user.Account;

/**
 * The result of one trial of the search, which connects and subscribes a number of
 * sessions, holds them with heart-beats and a few messages, and closes them.
 *
 * @param passed whether the trial had no failure of any kind
 * @param valid whether the generator had capacity left
 * @param p99 of the deliveries, in milliseconds
 * @param subscribedP99 of the subscriptions, in milliseconds
 * @param wrong descriptions of the failures
 * @param limits descriptions of the limits that were reached
 * @param facts about the server and the generator
 */
record CapacityTrial(int sessions, boolean passed, boolean valid, double p99, double subscribedP99, List<String> wrong,
		List<String> limits, String facts, TimeLine timeLine, Measures measures) {

	/**
	 * Runs a trial.
	 * @param run a name that no other trial at this server has used
	 * @param accounts the users that the sessions belong to, in turn
	 */
	static CapacityTrial run(CapacityCommand options, ServerUnderTest server, int count, String run,
			List<Account> accounts) {
		Measures measures = new Measures();
		Bottleneck bottleneck = new Bottleneck(server, measures);
		try (SessionGroup sessions = new SessionGroup(server.target(), count, new ParleyDialect(run, measures),
				measures)) {
			boolean live = sessions.connect(Account.withEmptyLedgers(accounts), options.connectRate);
			if (live) {
				bottleneck.begin();
				sessions.hold(new Publisher(sessions.all(), run, measures), options.rate, options.hold);
			}
			// Measured before the sessions leave, while their files and their memory are
			// still in use.
			bottleneck.end();
			if (live) {
				sessions.drain(options.drain);
			}
			sessions.leave(options.drain);
			boolean passed = live && measures.passed(count);
			return new CapacityTrial(count, passed, bottleneck.isGeneratorFine(),
					Latencies.millis(measures.delivering, 99), Latencies.millis(measures.subscribing, 99),
					measures.wrong(count), passed ? List.of() : bottleneck.limitsReached(), bottleneck.facts(),
					sessions.timeLine(), measures);
		}
	}

	boolean passedWithin(Duration limit) {
		return this.passed && this.p99 <= limit.toMillis();
	}

	void print(int number) {
		String outcome = this.passed ? "held" : "failed (" + String.join(", ", this.wrong) + ")";
		System.out.println(String.format(Locale.ROOT,
				"trial %d: %,d sessions %s; delivery p99 %.1f ms, subscribed p99 %.1f ms; %s", number, this.sessions,
				outcome, this.p99, this.subscribedP99, this.facts));
		this.limits.forEach((limit) -> System.out.println("  at its limit: " + limit));
	}

}
