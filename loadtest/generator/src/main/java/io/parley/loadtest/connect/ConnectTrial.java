package io.parley.loadtest.connect;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.Progress;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.measure.Verdicts;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.session.Dialect;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Phase;
import io.parley.loadtest.session.Session;
import io.parley.loadtest.session.SessionListener;
import io.parley.loadtest.session.Waiting;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.trial.Report;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;

/**
 * Opens sessions at a constant rate, independent of the server's speed, and closes each
 * one as soon as its hold is over. The trial passes when every session that was opened
 * completed all its steps.
 */
final class ConnectTrial implements SessionListener, AutoCloseable {

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final Measures measures = new Measures();

	private final TimeLine timeLine = new TimeLine(this.measures);

	private final Progress progress = new Progress(System.out);

	private final Set<Session> present = ConcurrentHashMap.newKeySet();

	private final ConnectOptions options;

	private final Dialect dialect;

	private final Connector connector;

	private final String run;

	private int maxConcurrent;

	ConnectTrial(ConnectOptions options, String run) {
		this.options = options;
		this.run = run;
		this.dialect = new ParleyDialect(run, this.measures);
		this.connector = new Connector(options.target, options.atOnce());
	}

	/**
	 * Runs the trial, prints the results, and completes the report.
	 */
	RunReport run(List<Account> accounts, TrialReport trial) {
		this.clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
		Pace pace = Pace.startingNow(this.options.connectRate);
		Generator before = Generator.now();
		int begun = open(accounts, pace);
		this.progress.phase("leaving", this.options.hold);
		Waiting.until(this.options.hold.plus(this.options.drain), this.present::isEmpty);
		Generator.Use use = before.until(Generator.now());
		List.copyOf(this.present)
			.forEach((session) -> session
				.fail((session.phase() == Phase.LEAVING) ? "no receipt for DISCONNECT" : "not over in time"));
		long whole = this.measures.whole.getTotalCount();
		boolean passed = begun > 0 && whole == begun && this.measures.passed(begun);
		double perSecond = whole * (double) TimeUnit.SECONDS.toNanos(1) / use.nanos();
		String title = String.format(Locale.ROOT, "connect, %s sessions/s for %d s, hold %d ms (run %s)",
				this.options.connectRate, this.options.duration.toSeconds(), this.options.hold.toMillis(), this.run);
		print(passed, title, begun, perSecond, use);
		trial.higher("whole sessions", perSecond, "1/s")
			.lower("whole session p99", Latencies.millis(this.measures.whole, 99), "ms")
			.lower("subscribed p99", Latencies.millis(this.measures.subscribing, 99), "ms")
			.generator(use.cores())
			.add(this.measures, this.timeLine);
		return trial.finish(passed, title, Verdicts.of(passed,
				String.format(Locale.ROOT, "%,d of %,d sessions whole, %,.1f a second", whole, begun, perSecond),
				this.measures, begun));
	}

	private int open(List<Account> accounts, Pace pace) {
		this.progress.phase("connecting", this.options.duration);
		int n = 0;
		for (; pace.intended(n) - pace.start() < this.options.duration.toNanos(); n++) {
			long intended = pace.await(n);
			if (Interrupt.requested()) {
				break;
			}
			Measures.since(intended, this.measures.starting);
			Session session = new Session(accounts.get(n % accounts.size()), this.dialect, intended, this.measures,
					this, Session.LIVE_TIMEOUT);
			this.present.add(session);
			this.maxConcurrent = Math.max(this.maxConcurrent, this.present.size());
			this.connector.open(session);
		}
		return n;
	}

	@Override
	public void live(Session session) {
		if (this.options.hold.isZero()) {
			session.leave();
		}
		else {
			this.clock.schedule(session::leave, this.options.hold.toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	@Override
	public void ended(Session session) {
		this.present.remove(session);
	}

	private void print(boolean passed, String title, int begun, double perSecond, Generator.Use use) {
		Report report = new Report(System.out, this.measures);
		report.line("");
		report.title(passed, title);
		report.latencies();
		report.line("%-34s %,d of %,d, %,.1f a second, at most %,d at once", "whole sessions",
				this.measures.whole.getTotalCount(), begun, perSecond, this.maxConcurrent);
		report.errors();
		report.generator(use.cores());
	}

	private void tick() {
		long now = System.nanoTime();
		this.present.forEach((session) -> session.tick(now));
		this.timeLine.sample(this.present.size());
		this.progress.tick(this.measures, this.present.size());
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
	}

}
