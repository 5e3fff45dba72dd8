package io.parley.loadtest.session;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.user.Account;

/**
 * The sessions of one trial: opens them at a constant pace, keeps them alive, waits for
 * missing deliveries, and disconnects them.
 */
public final class SessionGroup implements SessionListener, AutoCloseable {

	private static final double LEAVES_PER_SECOND = 2000;

	/**
	 * The back-off that the protocol requires of clients: full jitter, base 1 s, cap 30
	 * s.
	 */
	private static final long BASE_MILLIS = 1000;

	private static final long CAP_MILLIS = 30_000;

	/**
	 * Each session is checked once a second, spread over the second: heart-beats of
	 * thousands of sessions at the same moment would be a load that real clients do not
	 * cause.
	 */
	private static final int SHARES = 50;

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final int count;

	private final Connector connector;

	private final Dialect dialect;

	private final Measures measures;

	private final TimeLine timeLine;

	private final Duration liveTimeout;

	private final boolean reconnect;

	private List<Session> all = List.of();

	/** The share to check next. Used by the clock's thread only. */
	private int share;

	public SessionGroup(Target target, int count, Dialect dialect, Measures measures) {
		this(target, count, dialect, measures, Session.LIVE_TIMEOUT, false);
	}

	/**
	 * Creates sessions.
	 * @param liveTimeout time limit for a session to be subscribed
	 * @param reconnect whether sessions that were turned away connect again
	 */
	public SessionGroup(Target target, int count, Dialect dialect, Measures measures, Duration liveTimeout,
			boolean reconnect) {
		this.count = count;
		this.connector = new Connector(target, count);
		this.dialect = dialect;
		this.measures = measures;
		this.liveTimeout = liveTimeout;
		this.reconnect = reconnect;
		this.timeLine = new TimeLine(measures);
	}

	public List<Session> all() {
		return this.all;
	}

	public TimeLine timeLine() {
		return this.timeLine;
	}

	/**
	 * Opens the sessions at that pace and waits until each one is subscribed or has
	 * ended.
	 * @return whether all are live
	 */
	public boolean connect(List<Account> accounts, double perSecond) {
		Pace pace = Pace.startingNow(perSecond);
		this.all = IntStream.range(0, this.count)
			.mapToObj((n) -> new Session(accounts.get(n % accounts.size()), this.dialect, pace.intended(n),
					this.measures, this, this.liveTimeout))
			.toList();
		this.timeLine.phase("connecting", Duration.ofSeconds((long) (this.count / perSecond)));
		this.clock.scheduleAtFixedRate(this::tickShare, 0, TimeUnit.SECONDS.toMillis(1) / SHARES,
				TimeUnit.MILLISECONDS);
		this.clock.scheduleAtFixedRate(() -> this.timeLine.tick(this.count), 1, 1, TimeUnit.SECONDS);
		if (!this.dialect.confirms()) {
			this.clock.scheduleAtFixedRate(new Prober(this.all, this.dialect.run()), 0, Prober.EVERY_MILLIS,
					TimeUnit.MILLISECONDS);
		}
		for (int n = 0; n < this.count && !Interrupt.requested(); n++) {
			Measures.since(pace.await(n), this.measures.starting);
			this.connector.open(this.all.get(n));
		}
		Waiting.until(this.liveTimeout.plusSeconds(5),
				() -> this.all.stream().allMatch((session) -> session.phase().compareTo(Session.Phase.LIVE) >= 0));
		return this.measures.live.sum() == this.count;
	}

	private void tickShare() {
		long now = System.nanoTime();
		for (int n = this.share; n < this.all.size(); n += SHARES) {
			this.all.get(n).tick(now);
		}
		this.share = (this.share + 1) % SHARES;
	}

	@Override
	public boolean turnedAway(Session session, int before) {
		if (!this.reconnect || this.clock.isShutdown()) {
			return false;
		}
		long longest = Math.min(CAP_MILLIS, BASE_MILLIS << Math.min(before, 10));
		this.clock.schedule(() -> this.connector.open(session), ThreadLocalRandom.current().nextLong(longest),
				TimeUnit.MILLISECONDS);
		return true;
	}

	/**
	 * Sends at a constant rate for the given time while the sessions are held.
	 * @return the resource use of this process
	 */
	public Generator.Use hold(Publisher publisher, double perSecond, Duration length) {
		this.timeLine.phase("holding", length);
		Generator before = Generator.now();
		publisher.holdFor(perSecond, length);
		return before.until(Generator.now());
	}

	/**
	 * Waits for receipts and deliveries in flight, and counts those that are missing
	 * afterwards.
	 */
	public void drain(Duration longest) {
		this.timeLine.phase("draining", Duration.ZERO);
		Waiting.until(longest, () -> unconfirmed() == 0 && missing() == 0);
		if (!Interrupt.requested()) {
			this.measures.lost.add(missing());
			this.measures.errors("no receipt for a SEND", unconfirmed());
		}
	}

	/**
	 * Disconnects all sessions, and waits up to the given time for the answers.
	 */
	public void leave(Duration longest) {
		this.timeLine.phase("leaving", Duration.ZERO);
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
