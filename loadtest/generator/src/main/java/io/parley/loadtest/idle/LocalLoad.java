package io.parley.loadtest.idle;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.session.Dialect;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.SessionGroup;
import io.parley.loadtest.trial.ConsoleReport;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;

/**
 * An idle load with all sessions in this process.
 */
final class LocalLoad implements IdleLoad {

	private final IdleOptions options;

	private final Measures measures;

	private final Duration delay;

	private final Dialect dialect;

	private final SessionGroup sessions;

	/**
	 * Creates a load.
	 * @param delay of the first message, for several processes that send in turn
	 */
	LocalLoad(IdleOptions options, String run, Measures measures, Duration delay) {
		this.options = options;
		this.measures = measures;
		this.delay = delay;
		this.dialect = options.plain ? new PlainDialect(options, run, measures) : new ParleyDialect(run, measures);
		this.sessions = new SessionGroup(options.target, options.sessions, this.dialect, measures);
	}

	@Override
	public void watch(Trial trial) {
		// The report shows this process in any case.
	}

	@Override
	public boolean connect(List<Account> accounts) {
		return this.sessions.connect(accounts, this.options.connectRate);
	}

	@Override
	public Hold hold() {
		Publisher publisher = new Publisher(this.sessions.all(), this.dialect.run(), this.measures, this.delay);
		if (this.options.rate > 0 && this.options.warmup.isPositive()) {
			this.sessions.timeLine().phase("warming up", this.options.warmup.plus(this.options.hold));
			publisher.warmUp(this.options.rate, this.options.warmup);
		}
		Generator.Use use = this.sessions.hold(publisher, this.options.rate, this.options.hold);
		Hold hold = new Hold(use.from(), use.from() + use.nanos(), use.cores(),
				use.perSecond(this.measures.accepted.sum()), use.perSecond(this.measures.delivered.sum()));
		this.sessions.drain(this.options.drain);
		return hold;
	}

	@Override
	public void leave() {
		this.sessions.leave(this.options.drain);
	}

	@Override
	public TimeLine timeLine() {
		return this.sessions.timeLine();
	}

	@Override
	public void print(ConsoleReport console, double cores) {
		console.generator("this generator", Generator.heap(), cores);
	}

	@Override
	public void close() {
		this.sessions.close();
	}

}
