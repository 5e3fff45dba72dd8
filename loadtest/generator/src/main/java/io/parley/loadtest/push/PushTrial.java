package io.parley.loadtest.push;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.Http;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.ledger.LedgerClient;
import io.parley.loadtest.ledger.SendLedger;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;

/**
 * Sends messages to a room with live and offline members, and checks the pushes to the
 * devices of the offline members.
 */
final class PushTrial implements AutoCloseable {

	private static final List<String> COLUMNS = List.of("message", "first device ms", "last device ms", "requested",
			"delivered", "twice");

	private static final long TICK_MILLIS = 100;

	private static final Duration POLL = Duration.ofMillis(10);

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final List<List<Object>> rows = new ArrayList<>();

	private final PushCommand options;

	private final Trial trial;

	private final Http http = new Http();

	private final RestApi api;

	private final Connector connector;

	private final Account sender;

	private final List<LedgerClient> live;

	PushTrial(PushCommand options, Target target, Trial trial, List<Account> live) {
		this.options = options;
		this.trial = trial;
		this.api = new RestApi(target.url);
		this.connector = new Connector(target, options.live);
		this.sender = live.getFirst();
		this.live = live.stream()
			.map((account) -> new LedgerClient(account, trial.run, this.connector, new SendLedger(), trial.measures))
			.toList();
	}

	/**
	 * Runs the trial and prints a line for each message. It passes when each device
	 * received each message exactly once.
	 */
	RunReport run() {
		this.clock.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
		while (!Waiting.until(this.options.settle, POLL, () -> this.live.stream().allMatch(LedgerClient::isLive))) {
			Interrupt.check();
		}
		System.out.printf("%,d members: %,d follow the room, %,d are offline with a device each%n",
				this.options.live + this.options.away, this.options.live, this.options.away);
		boolean passed = true;
		for (int i = 1; i <= this.options.messages && !Interrupt.requested(); i++) {
			passed &= message(i);
		}
		this.live.forEach(LedgerClient::leave);
		String verdict = passed ? "push, each offline device got one push, and no other device did"
				: "push, not each offline device got exactly one push";
		this.rows.stream()
			.mapToLong((row) -> (Long) row.get(2))
			.max()
			.ifPresent((slowest) -> this.trial.lower("until the last device was told", slowest, "ms"));
		this.trial.add(new Table("Messages", COLUMNS, this.rows, "Milliseconds from the message."));
		return this.trial.finish(passed,
				String.format(Locale.ROOT, "push, %,d messages to %,d offline and %,d live members",
						this.options.messages, this.options.away, this.options.live),
				Interrupt.requested() ? "Interrupted, so not passed." : verdict);
	}

	private boolean message(int number) {
		FcmCounts before = counts();
		long start = System.nanoTime();
		this.api.postMessage(this.sender.token(), this.sender.room().id(), "push-" + number, "Message " + number);
		boolean any = awaitDeliveries(before.delivered() + 1, start);
		long first = System.nanoTime() - start;
		boolean all = any && awaitDeliveries(before.delivered() + this.options.away, start);
		long last = System.nanoTime() - start;
		FcmCounts now = counts();
		FcmCounts counts = now.minus(before);
		if (!all) {
			System.out.printf("message %d: pushed to %,d of %,d devices in %d s%n", number, counts.delivered(),
					this.options.away, this.options.settle.toSeconds());
			return false;
		}
		System.out.printf(
				"message %d: first device after %,d ms, last after %,d ms: %,d devices/s; %,d requested, %,d"
						+ " delivered, %,d twice, %,d connections so far%n",
				number, TimeUnit.NANOSECONDS.toMillis(first), TimeUnit.NANOSECONDS.toMillis(last),
				Math.round(this.options.away * 1e9 / Math.max(1, last - first)), counts.requests(), counts.delivered(),
				counts.duplicates(), now.connections());
		this.rows.add(List.of(number, TimeUnit.NANOSECONDS.toMillis(first), TimeUnit.NANOSECONDS.toMillis(last),
				counts.requests(), counts.delivered(), counts.duplicates()));
		return counts.requests() == this.options.away && counts.delivered() == this.options.away
				&& counts.duplicates() == 0;
	}

	private boolean awaitDeliveries(long total, long start) {
		Duration left = this.options.settle.minusNanos(System.nanoTime() - start);
		return Waiting.until(left, POLL, () -> counts().delivered() >= total);
	}

	private FcmCounts counts() {
		return FcmCounts.read(this.http, this.options.fcm);
	}

	private void tick() {
		long now = System.nanoTime();
		this.live.forEach((client) -> client.tick(now));
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
		this.api.close();
		this.http.close();
	}

}
