package io.parley.loadtest.push;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.ledger.LedgerClient;
import io.parley.loadtest.ledger.SendLedger;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages to a room with live and offline members, and checks the pushes to the
 * devices of the offline members.
 */
final class PushTrial implements AutoCloseable {

	private static final List<String> COLUMNS = List.of("message", "first device ms", "last device ms", "requested",
			"delivered", "twice");

	private static final long TICK_MILLIS = 100;

	private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final PushOptions options;

	private final RestApi api;

	private final FcmCounts fcm;

	private final Connector connector;

	private final Account sender;

	private final List<LedgerClient> live;

	PushTrial(PushOptions options, String run, RestApi api, FcmCounts fcm, List<Account> live) {
		this.options = options;
		this.api = api;
		this.fcm = fcm;
		this.connector = new Connector(options.target, options.live);
		this.sender = live.getFirst();
		this.live = live.stream()
			.map((account) -> new LedgerClient(account, run, this.connector, new SendLedger(), new Measures()))
			.toList();
	}

	private final List<List<Object>> rows = new ArrayList<>();

	/**
	 * The times of the first and the last push, in nanoseconds after the message.
	 */
	private record Told(long first, long last) {
	}

	/**
	 * Runs the trial and prints a line for each message. It passes when each device
	 * received each message exactly once.
	 */
	RunReport run(TrialReport report) {
		this.clock.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
		while (!this.live.stream().allMatch(LedgerClient::isLive)) {
			Interrupt.check();
			LockSupport.parkNanos(POLL_NANOS);
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
		if (!this.rows.isEmpty()) {
			report.lower("until the last device was told", slowest(), "ms");
		}
		report.add(new Table("Messages", COLUMNS, this.rows, "Milliseconds from the message."));
		return report.finish(passed,
				String.format(Locale.ROOT, "push, %,d messages to %,d offline and %,d live members",
						this.options.messages, this.options.away, this.options.live),
				Interrupt.requested() ? "Interrupted, so not passed." : verdict);
	}

	private double slowest() {
		return this.rows.stream().mapToLong((row) -> (Long) row.get(2)).max().orElseThrow();
	}

	private boolean message(int number) {
		FcmCounts.Counts before = this.fcm.now();
		long start = System.nanoTime();
		this.api.postMessage(this.sender.token(), this.sender.room().id(), "push-" + number, "Message " + number);
		Told times = awaitDeliveries(before.delivered(), start);
		FcmCounts.Counts after = this.fcm.now();
		long requests = after.requests() - before.requests();
		long delivered = after.delivered() - before.delivered();
		long twice = after.duplicates() - before.duplicates();
		if (times == null) {
			System.out.printf("message %d: pushed to %,d of %,d devices in %d s%n", number, delivered,
					this.options.away, this.options.settle.toSeconds());
			return false;
		}
		System.out.printf(
				"message %d: first device after %,d ms, last after %,d ms: %,d devices/s; %,d requested, %,d"
						+ " delivered, %,d twice, %,d connections so far%n",
				number, TimeUnit.NANOSECONDS.toMillis(times.first), TimeUnit.NANOSECONDS.toMillis(times.last),
				Math.round(this.options.away * 1e9 / Math.max(1, times.last - times.first)), requests, delivered, twice,
				after.connections());
		this.rows.add(List.of(number, TimeUnit.NANOSECONDS.toMillis(times.first),
				TimeUnit.NANOSECONDS.toMillis(times.last), requests, delivered, twice));
		return requests == this.options.away && delivered == this.options.away && twice == 0;
	}

	private @Nullable Told awaitDeliveries(long before, long start) {
		long end = start + this.options.settle.toNanos();
		long first = 0;
		while (System.nanoTime() - end < 0 && !Interrupt.requested()) {
			long delivered = this.fcm.now().delivered() - before;
			long since = System.nanoTime() - start;
			if (delivered > 0 && first == 0) {
				first = since;
			}
			if (delivered >= this.options.away) {
				return new Told(first, since);
			}
			LockSupport.parkNanos(POLL_NANOS);
		}
		return null;
	}

	private void tick() {
		long now = System.nanoTime();
		this.live.forEach((client) -> client.tick(now));
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
	}

}
