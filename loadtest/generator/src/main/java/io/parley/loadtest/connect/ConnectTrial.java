package io.parley.loadtest.connect;

import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Latencies;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.session.Dialect;
import io.parley.loadtest.session.Pace;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Session;
import io.parley.loadtest.session.SessionListener;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.trial.ConsoleReport;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;

/**
 * Opens sessions at a constant rate, independent of the server's speed, and closes each
 * one as soon as its hold is over. The trial passes when every session that was opened
 * completed all its steps.
 */
final class ConnectTrial implements SessionListener, AutoCloseable {

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final Set<Session> present = ConcurrentHashMap.newKeySet();

	private final ConnectCommand options;

	private final Trial trial;

	private final Measures measures;

	private final TimeLine timeLine;

	private final Connector connector;

	private int maxConcurrent;

	ConnectTrial(ConnectCommand options, Target target, Trial trial) {
		this.options = options;
		this.trial = trial;
		this.measures = trial.measures;
		this.timeLine = new TimeLine(this.measures);
		this.connector = new Connector(target, options.maxSessions());
	}

	RunReport run(List<Account> accounts) {
		this.clock.scheduleAtFixedRate(this::tick, 1, 1, TimeUnit.SECONDS);
		Generator before = Generator.now();
		int begun = open(accounts);
		this.timeLine.phase("leaving", this.options.hold);
		Waiting.until(this.options.hold.plus(this.options.drain), this.present::isEmpty);
		Generator.Use use = before.until(Generator.now());
		List.copyOf(this.present)
			.forEach((session) -> session
				.fail((session.phase() == Session.Phase.LEAVING) ? "no receipt for DISCONNECT" : "not over in time"));
		long whole = this.measures.whole.getTotalCount();
		boolean passed = begun > 0 && whole == begun && this.measures.passed(begun);
		double perSecond = use.perSecond(whole);
		String title = String.format(Locale.ROOT, "connect, %s sessions/s for %d s, hold %d ms (run %s)",
				this.options.connectRate, this.options.duration.toSeconds(), this.options.hold.toMillis(),
				this.trial.run);
		ConsoleReport console = this.trial.console;
		console.title(passed, title);
		console.latencies();
		console.line("%-34s %,d of %,d, %,.1f a second, at most %,d at once", "whole sessions", whole, begun, perSecond,
				this.maxConcurrent);
		console.errors();
		console.generator("this generator", Generator.heap(), use.cores());
		return this.trial.higher("whole sessions", perSecond, "1/s")
			.lower("whole session p99", Latencies.millis(this.measures.whole, 99), "ms")
			.lower("subscribed p99", Latencies.millis(this.measures.subscribing, 99), "ms")
			.generator(use.cores())
			.add(this.measures, this.timeLine)
			.finish(passed, title, this.measures.verdict(passed,
					String.format(Locale.ROOT, "%,d of %,d sessions whole, %,.1f a second", whole, begun, perSecond),
					begun));
	}

	private int open(List<Account> accounts) {
		Dialect dialect = new ParleyDialect(this.trial.run, this.measures);
		Pace pace = Pace.startingNow(this.options.connectRate);
		this.timeLine.phase("connecting", this.options.duration);
		int n = 0;
		for (; pace.intended(n) - pace.start() < this.options.duration.toNanos(); n++) {
			long intended = pace.await(n);
			if (Interrupt.requested()) {
				break;
			}
			Measures.since(intended, this.measures.starting);
			Session session = new Session(accounts.get(n % accounts.size()), dialect, intended, this.measures, this,
					Session.LIVE_TIMEOUT);
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

	private void tick() {
		long now = System.nanoTime();
		this.present.forEach((session) -> session.tick(now));
		this.timeLine.tick(this.present.size());
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.connector.close();
	}

}
