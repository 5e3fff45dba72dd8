package io.parley.loadtest.idle;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.measure.Generator;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.session.Dialect;
import io.parley.loadtest.session.ParleyDialect;
import io.parley.loadtest.session.Publisher;
import io.parley.loadtest.session.Sessions;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;

/**
 * An idle load with all sessions in this process.
 */
final class LocalLoad implements IdleLoad {

	private final IdleOptions options;

	private final String run;

	private final Measures measures;

	private final Duration delay;

	private final Sessions sessions;

	LocalLoad(IdleOptions options, String run, Measures measures) {
		this(options, run, measures, Duration.ZERO);
	}

	/**
	 * Creates a load.
	 * @param delay of the first message, for several processes that send in turn
	 */
	LocalLoad(IdleOptions options, String run, Measures measures, Duration delay) {
		this.options = options;
		this.run = run;
		this.measures = measures;
		this.delay = delay;
		Dialect dialect = options.plain ? new PlainDialect(options, run, measures) : new ParleyDialect(run, measures);
		this.sessions = new Sessions(options.target, options.sessions, dialect, measures);
	}

	@Override
	public void watch(TrialReport report) {
		// The report shows this process in any case.
	}

	@Override
	public boolean connect(List<Account> accounts) {
		return this.sessions.connect(accounts, this.options.sessions, this.options.connectRate, this.run);
	}

	@Override
	public Hold hold() {
		Publisher publisher = new Publisher(this.sessions.all(), this.run, this.measures, this.delay);
		if (this.options.rate > 0 && this.options.warmup.isPositive()) {
			this.sessions.progress().phase("warming up", this.options.warmup.plus(this.options.hold));
			publisher.warmUp(this.options.rate, this.options.warmup);
		}
		this.sessions.progress().phase("holding", this.options.hold);
		Generator start = Generator.now();
		publisher.holdFor(this.options.rate, this.options.hold);
		Generator end = Generator.now();
		Generator.Use use = start.until(end);
		double seconds = use.nanos() / 1e9;
		Hold hold = new Hold(start.at(), end.at(), use.cores(), this.measures.accepted.sum() / seconds,
				this.measures.delivered.sum() / seconds);
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
	public String name() {
		return "this generator";
	}

	@Override
	public Generator.Heap heap() {
		return Generator.heap();
	}

	@Override
	public void close() {
		this.sessions.close();
	}

}
