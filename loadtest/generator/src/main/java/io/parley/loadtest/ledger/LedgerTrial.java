package io.parley.loadtest.ledger;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ReaderLag;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages, waits until all are confirmed, stored and delivered, and compares the
 * results.
 */
final class LedgerTrial implements AutoCloseable {

	private static final int TICK_MILLIS = 50;

	private static final int TICKS_PER_SECOND = 20;

	private static final int TICKS_PER_LINE = 100;

	private static final int MAX_SENDS_PER_USER = 10;

	private static final Duration POLL = Duration.ofMillis(100);

	private final SendLedger ledger = new SendLedger();

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final Load load;

	private final Trial trial;

	private final Measures measures;

	private final TimeLine timeLine;

	private final RestApi api;

	private final Connector connector;

	private final List<LedgerClient> clients;

	private int ticks;

	private int roundsLeft;

	/**
	 * The messages of a trial.
	 *
	 * @param rate messages per second, of all users
	 * @param settle how long to wait for each of receipts, the reader and deliveries
	 * @param persistence metrics of the persistence-worker; null to compare as soon as
	 * all messages are confirmed
	 */
	record Load(double rate, Duration duration, Duration settle, @Nullable URI persistence, Cuts cuts) {
	}

	/**
	 * Connections that are cut during a trial.
	 *
	 * @param share of the connections, in each round
	 */
	record Cuts(double share, int rounds, Duration every) {

		static final Cuts NONE = new Cuts(0, 0, Duration.ZERO);

	}

	LedgerTrial(Target target, Load load, Trial trial, List<Account> accounts) {
		this.load = load;
		this.trial = trial;
		this.measures = trial.measures;
		this.timeLine = new TimeLine(this.measures);
		this.api = new RestApi(target.url);
		this.connector = new Connector(target, accounts.size());
		this.clients = accounts.stream()
			.map((account) -> new LedgerClient(account, trial.run, this.connector, this.ledger, this.measures))
			.toList();
		this.roundsLeft = load.cuts.rounds;
	}

	/**
	 * Checks that the users may send at that rate.
	 * @throws io.parley.loadtest.cli.LoadTestException with the change to make
	 */
	static void checkRate(double rate, int users) {
		Preconditions.require(rate <= users * MAX_SENDS_PER_USER,
				"A user may send 20 messages a second, half of that is kept for retries: --rate %s needs --users %d or more.",
				rate, (int) Math.ceil(rate / MAX_SENDS_PER_USER));
	}

	/**
	 * Runs the trial and prints the table. It passes when no message is missing, repeated
	 * or misplaced.
	 * @param description of the load, in one line
	 */
	RunReport run(String description) {
		String title = description + " (run " + this.trial.run + ")";
		this.clock.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
		if (!await("subscriptions", () -> this.clients.stream().allMatch(LedgerClient::isLive))) {
			return finish(false, title, new LedgerCounts());
		}
		this.trial.console.line("sending");
		if (this.roundsLeft > 0) {
			long every = this.load.cuts.every.toNanos();
			this.clock.scheduleAtFixedRate(this::cut, every, every, TimeUnit.NANOSECONDS);
		}
		new Publisher(this.clients, this.trial.run, this.measures).publish(this.load.rate, this.load.duration);
		boolean confirmed = await("receipts", () -> this.clients.stream().allMatch(LedgerClient::isDone));
		boolean stored = awaitPersistence();
		Map<String, RoomHistory> histories = new TreeMap<>();
		boolean complete = await("history", () -> read(histories))
				&& await("deliveries", () -> this.clients.stream().allMatch((client) -> hasAll(client, histories)));
		this.clients.forEach(LedgerClient::leave);
		LedgerCounts counts = compare(histories);
		boolean resumed = this.load.cuts == Cuts.NONE
				|| this.measures.resuming.getTotalCount() >= this.measures.cut.sum();
		return finish(confirmed && stored && complete && resumed && counts.isCorrect(), title, counts);
	}

	private boolean awaitPersistence() {
		if (this.load.persistence == null) {
			return true;
		}
		try (ReaderLag lag = new ReaderLag(this.load.persistence)) {
			return await("persistence", lag::isZero);
		}
	}

	private RunReport finish(boolean passed, String title, LedgerCounts counts) {
		LedgerReport report = new LedgerReport(this.trial.console, this.ledger, this.measures, counts);
		report.print(passed, title);
		this.trial.lower("lost", counts.lost, "")
			.lower("longest pause without a receipt", this.ledger.longestPauseMillis(), "ms")
			.lower("accepted p99", Latencies.millis(this.measures.accepting, 99), "ms");
		if (this.measures.resuming.getTotalCount() > 0) {
			this.trial.lower("caught up after the reconnect p99", Latencies.millis(this.measures.catchingUp, 99), "ms");
		}
		return this.trial.add(report.table())
			.add(this.measures, this.timeLine)
			.finish(passed, title, report.verdict(this.load.cuts != Cuts.NONE));
	}

	/**
	 * Returns whether all histories could be read. A server that is still starting
	 * rejects the request.
	 */
	private boolean read(Map<String, RoomHistory> histories) {
		try {
			for (LedgerClient client : this.clients) {
				if (!histories.containsKey(client.room())) {
					histories.put(client.room(),
							new RoomHistory(this.api.history(client.token(), client.room()), this.trial.run));
				}
			}
			return true;
		}
		catch (LoadTestException ex) {
			histories.clear();
			this.measures.error("history: " + ex.getMessage());
			return false;
		}
	}

	private static boolean hasAll(LedgerClient client, Map<String, RoomHistory> histories) {
		RoomHistory history = histories.get(client.room());
		return history != null && client.follower().last() >= history.head();
	}

	private LedgerCounts compare(Map<String, RoomHistory> histories) {
		LedgerCounts counts = new LedgerCounts();
		histories.forEach((room, history) -> {
			counts.add(room, history, this.ledger);
			this.clients.stream()
				.filter((client) -> client.room().equals(room))
				.forEach((client) -> counts.add(client.follower(), history, this.ledger));
		});
		return counts;
	}

	private void cut() {
		if (this.roundsLeft-- > 0) {
			List<LedgerClient> live = new ArrayList<>(this.clients.stream().filter(LedgerClient::isLive).toList());
			Collections.shuffle(live);
			live.subList(0, (int) Math.round(live.size() * this.load.cuts.share)).forEach(LedgerClient::cut);
		}
	}

	private void tick() {
		long now = System.nanoTime();
		this.clients.forEach((client) -> client.tick(now));
		if (this.ticks % TICKS_PER_SECOND == 0) {
			this.timeLine.sample(this.clients.size());
		}
		if (++this.ticks % TICKS_PER_LINE == 0) {
			this.trial.console.line("%4d s  live %,d of %,d  given %,d  attempted %,d  acknowledged %,d",
					this.ticks / TICKS_PER_SECOND, this.clients.stream().filter(LedgerClient::isLive).count(),
					this.clients.size(), this.measures.sent.sum(), this.ledger.attempted().size(),
					this.ledger.acknowledged().size());
		}
	}

	private boolean await(String what, BooleanSupplier condition) {
		boolean met = Waiting.until(this.load.settle, POLL, condition);
		if (!met && !Interrupt.requested()) {
			this.trial.console.line("Waited %d s for %s without success.", this.load.settle.toSeconds(), what);
		}
		return met;
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
		this.api.close();
	}

}
