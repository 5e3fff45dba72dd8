package io.parley.loadtest.ledger;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ReaderLag;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import org.jspecify.annotations.Nullable;

/**
 * Sends messages, waits until all are confirmed, stored and delivered, and compares the
 * results.
 */
final class LedgerRun implements AutoCloseable {

	private static final int TICK_MILLIS = 50;

	private static final int TICKS_PER_SECOND = 20;

	private static final int TICKS_PER_LINE = 100;

	private final Measures measures = new Measures();

	private final SendLedger ledger = new SendLedger();

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final LedgerOptions options;

	private final String run;

	private final RestApi api;

	private final Connector connector;

	private final List<LedgerClient> clients;

	/**
	 * Maps the id of each room to a token of one of its users.
	 */
	private final Map<String, String> rooms = new TreeMap<>();

	private final LedgerReport report;

	private final TimeLine timeLine = new TimeLine(this.measures);

	private @Nullable Cutter cutter;

	private Duration cutEvery = Duration.ZERO;

	private int ticks;

	LedgerRun(LedgerOptions options, String run, RestApi api, List<Account> accounts) {
		this.options = options;
		this.run = run;
		this.api = api;
		this.connector = new Connector(options.target, options.users);
		this.clients = accounts.stream()
			.map((account) -> new LedgerClient(account, run, this.connector, this.ledger, this.measures))
			.toList();
		accounts.forEach((account) -> this.rooms.putIfAbsent(account.room().id(), account.token()));
		this.report = new LedgerReport(System.out, this.ledger, this.measures);
	}

	/**
	 * Cuts connections during the run.
	 */
	void cut(ResumeOptions options) {
		this.cutter = new Cutter(this.clients, options.cut, options.rounds);
		this.cutEvery = options.every;
	}

	/**
	 * Runs the trial and prints the table. It passes when no message is missing, repeated
	 * or misplaced.
	 * @param title a description of the run, in one line
	 */
	RunReport run(String title, TrialReport trial) {
		this.clock.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
		if (!waitFor("subscriptions", () -> this.clients.stream().allMatch(LedgerClient::isLive))) {
			return finish(false, title, new LedgerCounts(), trial);
		}
		this.report.line("sending");
		if (this.cutter != null) {
			this.clock.scheduleAtFixedRate(this.cutter, this.cutEvery.toNanos(), this.cutEvery.toNanos(),
					TimeUnit.NANOSECONDS);
		}
		new Publisher(this.clients, this.run, this.measures).publish(this.options.rate, this.options.duration);
		boolean confirmed = waitFor("receipts", () -> this.clients.stream().allMatch(LedgerClient::isDone));
		boolean stored = waitForPersistence();
		Map<String, RoomHistory> histories = new TreeMap<>();
		boolean complete = waitFor("history", () -> read(histories))
				&& waitFor("deliveries", () -> this.clients.stream().allMatch((client) -> hasAll(client, histories)));
		this.clients.forEach(LedgerClient::leave);
		LedgerCounts counts = compare(histories);
		boolean resumed = this.cutter == null || this.measures.resuming.getTotalCount() >= this.measures.cut.sum();
		return finish(confirmed && stored && complete && resumed && counts.isCorrect(), title, counts, trial);
	}

	private RunReport finish(boolean passed, String title, LedgerCounts counts, TrialReport trial) {
		this.report.print(passed, title, counts);
		trial.lower("lost", counts.lost, "")
			.lower("longest pause without a receipt", this.ledger.longestPauseMillis(), "ms")
			.lower("accepted p99", Latencies.millis(this.measures.accepting, 99), "ms");
		if (this.measures.resuming.getTotalCount() > 0) {
			trial.lower("caught up after the reconnect p99", Latencies.millis(this.measures.catchingUp, 99), "ms");
		}
		trial.add(this.report.table(counts)).add(this.measures, this.timeLine);
		return trial.finish(passed, title, verdict(counts));
	}

	private String verdict(LedgerCounts counts) {
		if (Interrupt.requested()) {
			return "Interrupted, so not passed: these figures cover only the part that ran.";
		}
		String found = String.format(Locale.ROOT,
				"%,d messages acknowledged, %,d in the history, %,d lost, %,d duplicated, %,d missed by a follower, %,d seen twice",
				this.ledger.acknowledged().size(), counts.inHistory, counts.lost, counts.duplicated,
				counts.missed + counts.gaps, counts.phantoms);
		String cuts = (this.cutter != null) ? String.format(Locale.ROOT, "; %,d connections cut, %,d caught up",
				this.measures.cut.sum(), this.measures.resuming.getTotalCount()) : "";
		return found + cuts + ".";
	}

	private boolean waitForPersistence() {
		if (this.options.persistence == null) {
			return true;
		}
		try (ReaderLag lag = new ReaderLag(this.options.persistence)) {
			return waitFor("persistence", lag::isZero);
		}
	}

	/**
	 * Returns whether all histories could be read. A server that is still starting
	 * rejects the request.
	 */
	private boolean read(Map<String, RoomHistory> histories) {
		try {
			this.rooms.forEach(
					(room, token) -> histories.put(room, new RoomHistory(this.api.history(token, room), this.run)));
			return true;
		}
		catch (RefusedException ex) {
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

	private void tick() {
		long now = System.nanoTime();
		this.clients.forEach((client) -> client.tick(now));
		if (this.ticks % TICKS_PER_SECOND == 0) {
			this.timeLine.sample(this.clients.size());
		}
		if (++this.ticks % TICKS_PER_LINE == 0) {
			this.report.progress(this.ticks / TICKS_PER_LINE * 5,
					this.clients.stream().filter(LedgerClient::isLive).count(), this.clients.size());
		}
	}

	private boolean waitFor(String what, BooleanSupplier condition) {
		Duration longest = this.options.settle;
		long end = System.nanoTime() + longest.toNanos();
		while (!condition.getAsBoolean()) {
			if (Interrupt.requested()) {
				return false;
			}
			if (System.nanoTime() - end > 0) {
				this.report.line("Waited %d s for %s without success.", longest.toSeconds(), what);
				return false;
			}
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
		}
		return true;
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
	}

}
