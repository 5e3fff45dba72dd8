package io.parley.loadtest;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.RefusedException;

/** Sends, waits until everything is confirmed, stored and delivered, and compares. */
final class LedgerRun implements AutoCloseable {

	private static final int TICK_MILLIS = 50;

	private static final int TICKS_PER_LINE = 100;

	private final Measures measures = new Measures();

	private final SendLedger ledger = new SendLedger();

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final LedgerOptions options;

	private final String run;

	private final RestApi api;

	private final Connector connector;

	private final List<LedgerClient> clients;

	/** A token for each room. */
	private final Map<String, String> rooms = new TreeMap<>();

	private final LedgerReport report;

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

	/** Runs it and prints the table; true when nothing is missing or too much. */
	boolean run() {
		this.clock.scheduleAtFixedRate(this::tick, 0, TICK_MILLIS, TimeUnit.MILLISECONDS);
		if (!waitFor("subscriptions", () -> this.clients.stream().allMatch(LedgerClient::isLive))) {
			return false;
		}
		this.report.line("sending");
		new Publisher(this.clients, this.run, this.measures).publish(this.options.rate, this.options.duration);
		boolean confirmed = waitFor("receipts", () -> this.clients.stream().allMatch(LedgerClient::isDone));
		boolean stored = waitForPersistence();
		Map<String, RoomHistory> histories = new TreeMap<>();
		boolean complete = waitFor("history", () -> read(histories))
				&& waitFor("deliveries", () -> this.clients.stream().allMatch((client) -> hasAll(client, histories)));
		this.clients.forEach(LedgerClient::leave);
		LedgerCounts counts = compare(histories);
		boolean passed = confirmed && stored && complete && counts.fine();
		this.report.print(passed, this.options, this.run, counts);
		return passed;
	}

	private boolean waitForPersistence() {
		if (this.options.persistence == null) {
			return true;
		}
		try (ReaderLag lag = new ReaderLag(this.options.persistence)) {
			return waitFor("persistence", lag::isZero);
		}
	}

	/** Whether every history could be read; a server that is still starting refuses. */
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
		if (++this.ticks % TICKS_PER_LINE == 0) {
			this.report.progress(this.ticks / TICKS_PER_LINE * 5,
					this.clients.stream().filter(LedgerClient::isLive).count(), this.clients.size());
		}
	}

	private boolean waitFor(String what, BooleanSupplier condition) {
		Duration longest = this.options.settle;
		long end = System.nanoTime() + longest.toNanos();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - end > 0) {
				this.report.line("Waited %d s for %s, in vain.", longest.toSeconds(), what);
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
