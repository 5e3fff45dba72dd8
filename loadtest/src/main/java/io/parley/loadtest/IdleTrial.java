package io.parley.loadtest;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import com.sun.management.OperatingSystemMXBean;
import io.parley.loadtest.Session.Phase;
import org.jspecify.annotations.Nullable;

/**
 * One trial: connect all, hold them while messages flow, wait for what is under way, say
 * goodbye. It passes when nothing at all went wrong.
 */
final class IdleTrial implements AutoCloseable {

	private static final double LEAVES_PER_SECOND = 2000;

	private final Measures measures = new Measures();

	private final Report report = new Report(System.out, this.measures);

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final IdleOptions options;

	private final String run;

	private final Dialect dialect;

	private final Connector connector;

	private final @Nullable ServerProbe probe;

	private volatile String phase = "connecting";

	private Runnable beforeHold = () -> {
	};

	private @Nullable IdleResult result;

	/**
	 * What can be said at the end of the hold only.
	 *
	 * @param from when the hold began, {@link System#nanoTime()}
	 * @param to when the last message was sent
	 * @param cores that this process needed
	 */
	record Hold(long from, long to, double cores, double acceptedPerSecond, double deliveriesPerSecond) {
	}

	IdleTrial(IdleOptions options, String run) {
		this.options = options;
		this.run = run;
		this.dialect = options.plain ? new PlainDialect(options, run, this.measures)
				: new ParleyDialect(run, this.measures);
		this.connector = new Connector(options.target, options.sessions);
		this.probe = (options.serverPid != null) ? new ServerProbe(options.serverPid) : null;
	}

	/** To be run when all are connected, before anything is sent. */
	void beforeHold(Runnable action) {
		this.beforeHold = action;
	}

	/** What it found, when it was run. */
	IdleResult result() {
		return Objects.requireNonNull(this.result, "the trial was not run");
	}

	/** Runs it and prints the report; true when it passed. */
	boolean run(List<Account> accounts) {
		long emptyHeap = (this.probe != null) ? this.probe.liveHeapKb() : 0;
		Pace pace = Pace.startingNow(this.options.connectRate);
		List<Session> sessions = IntStream.range(0, this.options.sessions)
			.mapToObj((n) -> new Session(accounts.get(n % accounts.size()), this.dialect, pace.intended(n),
					this.measures))
			.toList();
		this.clock.scheduleAtFixedRate(() -> tick(sessions, pace.start()), 1, 1, TimeUnit.SECONDS);
		if (!this.dialect.confirms()) {
			this.clock.scheduleAtFixedRate(new Prober(sessions, this.run), 0, Prober.EVERY_MILLIS,
					TimeUnit.MILLISECONDS);
		}
		connect(sessions, pace);
		Hold hold = (this.measures.live.sum() == sessions.size()) ? hold(sessions) : new Hold(0, 0, 0, 0, 0);
		long held = this.measures.live.sum();
		long liveHeap = (this.probe != null) ? this.probe.liveHeapKb() : 0;
		long resident = (this.probe != null) ? this.probe.residentKb() : 0;
		leave(sessions);
		boolean passed = this.measures.passed(sessions.size());
		this.result = IdleResult.of(passed, held, hold, this.measures);
		this.report.title(passed, this.options, this.run);
		this.report.latencies();
		this.report.counts(this.options, held, hold.deliveriesPerSecond());
		this.report.generator(hold.cores());
		if (this.probe != null) {
			this.report.server(emptyHeap, liveHeap, resident, sessions.size());
		}
		return passed;
	}

	private void tick(List<Session> sessions, long start) {
		long now = System.nanoTime();
		sessions.forEach((session) -> session.tick(now));
		this.report.progress(TimeUnit.NANOSECONDS.toSeconds(now - start), this.phase, sessions.size());
	}

	private void connect(List<Session> sessions, Pace pace) {
		for (int n = 0; n < sessions.size(); n++) {
			Measures.since(pace.await(n), this.measures.starting);
			this.connector.open(sessions.get(n));
		}
		Duration longest = Session.MOST_TO_BE_LIVE.plusSeconds(5);
		waitFor(longest, () -> sessions.stream().allMatch((session) -> session.phase().compareTo(Phase.LIVE) >= 0));
	}

	private Hold hold(List<Session> sessions) {
		this.beforeHold.run();
		Publisher publisher = new Publisher(sessions, this.run, this.measures);
		if (this.options.rate > 0 && this.options.warmup.isPositive()) {
			this.phase = "warming up";
			publisher.warmUp(this.options.rate, this.options.warmup);
		}
		this.phase = "holding";
		long start = System.nanoTime();
		long cpu = cpuNanos();
		long end = start + this.options.hold.toNanos();
		if (this.options.rate > 0) {
			publisher.publish(this.options.rate, this.options.hold);
		}
		waitFor(Duration.ofNanos(end - System.nanoTime()), () -> false);
		long now = System.nanoTime();
		double seconds = (now - start) / 1e9;
		Hold hold = new Hold(start, now, (cpuNanos() - cpu) / 1e9 / seconds, this.measures.accepted.sum() / seconds,
				this.measures.delivered.sum() / seconds);
		this.phase = "draining";
		waitFor(this.options.drain, () -> unconfirmed() == 0 && missing(sessions) == 0);
		this.measures.lost.add(missing(sessions));
		this.measures.errors("no receipt for a SEND", unconfirmed());
		return hold;
	}

	private void leave(List<Session> sessions) {
		this.phase = "leaving";
		Pace pace = Pace.startingNow(LEAVES_PER_SECOND);
		for (int n = 0; n < sessions.size(); n++) {
			pace.await(n);
			sessions.get(n).leave();
		}
		waitFor(this.options.drain, () -> this.measures.live.sum() == 0);
		sessions.forEach((session) -> session.fail("no receipt for DISCONNECT"));
	}

	private long unconfirmed() {
		return this.dialect.confirms() ? this.measures.sent.sum() - this.measures.accepted.sum() : 0;
	}

	private static long missing(List<Session> sessions) {
		return sessions.stream().mapToLong(Session::missing).sum();
	}

	private static long cpuNanos() {
		return (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system)
				? system.getProcessCpuTime() : 0;
	}

	private static void waitFor(Duration longest, BooleanSupplier condition) {
		long end = System.nanoTime() + longest.toNanos();
		while (!condition.getAsBoolean() && System.nanoTime() - end < 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
		}
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
	}

}
