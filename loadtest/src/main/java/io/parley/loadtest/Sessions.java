package io.parley.loadtest;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.parley.loadtest.Session.Phase;
import io.parley.loadtest.cli.Interrupt;

/**
 * The sessions of one trial: opens them at a pace, keeps them alive, waits for what they
 * miss, and sends them home.
 */
final class Sessions implements SessionListener, AutoCloseable {

	private static final double LEAVES_PER_SECOND = 2000;

	/** As the protocol asks of clients: full jitter, base 1 s, cap 30 s. */
	private static final long BASE_MILLIS = 1000;

	private static final long CAP_MILLIS = 30_000;

	/**
	 * Each session is looked at once a second, not all at once: thousands that beat in
	 * the same moment would be a load that no real clients make.
	 */
	private static final int SHARES = 50;

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final Connector connector;

	private final Dialect dialect;

	private final Measures measures;

	private final TimeLine timeLine;

	private final Progress progress;

	private final Duration mostToBeLive;

	private final boolean comeAgain;

	private List<Session> all = List.of();

	/** Whose turn it is; for the clock's thread. */
	private int share;

	Sessions(Target target, int count, Dialect dialect, Measures measures) {
		this(target, count, dialect, measures, Session.MAX_TO_BE_LIVE, false);
	}

	/**
	 * @param mostToBeLive how long one may take to be subscribed
	 * @param comeAgain whether those who are turned away come again
	 */
	Sessions(Target target, int count, Dialect dialect, Measures measures, Duration mostToBeLive, boolean comeAgain) {
		this.connector = new Connector(target, count);
		this.dialect = dialect;
		this.measures = measures;
		this.mostToBeLive = mostToBeLive;
		this.comeAgain = comeAgain;
		this.timeLine = new TimeLine(measures);
		this.progress = new Progress(System.out);
	}

	List<Session> all() {
		return this.all;
	}

	TimeLine timeLine() {
		return this.timeLine;
	}

	Progress progress() {
		return this.progress;
	}

	/**
	 * Opens so many at that pace and waits until each is subscribed or over.
	 * @param run to show subscriptions that the server does not confirm
	 * @return whether all are live
	 */
	boolean connect(List<Account> accounts, int count, double perSecond, String run) {
		Pace pace = Pace.startingNow(perSecond);
		this.all = IntStream.range(0, count)
			.mapToObj((n) -> new Session(accounts.get(n % accounts.size()), this.dialect, pace.intended(n),
					this.measures, this, this.mostToBeLive))
			.toList();
		this.progress.phase("connecting", Duration.ofSeconds((long) (count / perSecond)));
		this.clock.scheduleAtFixedRate(this::lookAtSome, 0, TimeUnit.SECONDS.toMillis(1) / SHARES,
				TimeUnit.MILLISECONDS);
		this.clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
		if (!this.dialect.confirms()) {
			this.clock.scheduleAtFixedRate(new Prober(this.all, run), 0, Prober.EVERY_MILLIS, TimeUnit.MILLISECONDS);
		}
		for (int n = 0; n < count && !Interrupt.requested(); n++) {
			Measures.since(pace.await(n), this.measures.starting);
			this.connector.open(this.all.get(n));
		}
		Waiting.until(this.mostToBeLive.plusSeconds(5),
				() -> this.all.stream().allMatch((session) -> session.phase().compareTo(Phase.LIVE) >= 0));
		return this.measures.live.sum() == count;
	}

	private void lookAtSome() {
		long now = System.nanoTime();
		for (int n = this.share; n < this.all.size(); n += SHARES) {
			this.all.get(n).tick(now);
		}
		this.share = (this.share + 1) % SHARES;
	}

	private void tick() {
		this.timeLine.sample(this.all.size());
		this.progress.tick(this.measures, this.all.size());
	}

	@Override
	public boolean turnedAway(Session session, int before) {
		if (!this.comeAgain || this.clock.isShutdown()) {
			return false;
		}
		long longest = Math.min(CAP_MILLIS, BASE_MILLIS << Math.min(before, 10));
		this.clock.schedule(() -> this.connector.open(session), ThreadLocalRandom.current().nextLong(longest),
				TimeUnit.MILLISECONDS);
		return true;
	}

	/**
	 * Waits for receipts and deliveries that are under way, and counts what did not come.
	 */
	void drain(Duration longest) {
		this.progress.phase("draining", Duration.ZERO);
		Waiting.until(longest, () -> unconfirmed() == 0 && missing() == 0);
		if (!Interrupt.requested()) {
			this.measures.lost.add(missing());
			this.measures.errors("no receipt for a SEND", unconfirmed());
		}
	}

	/** Says goodbye for all, and waits so long for the answers. */
	void leave(Duration longest) {
		this.progress.phase("leaving", Duration.ZERO);
		Pace pace = Pace.startingNow(LEAVES_PER_SECOND);
		for (int n = 0; n < this.all.size() && !Interrupt.requested(); n++) {
			pace.await(n);
			this.all.get(n).leave();
		}
		Waiting.until(longest, () -> this.measures.live.sum() == 0);
		this.all.forEach((session) -> session.fail("no receipt for DISCONNECT"));
	}

	private long unconfirmed() {
		return this.dialect.confirms() ? this.measures.sent.sum() - this.measures.accepted.sum() : 0;
	}

	private long missing() {
		return this.all.stream().mapToLong(Session::missing).sum();
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
	}

}
