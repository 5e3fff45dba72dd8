package io.parley.loadtest;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.report.RunReport;
import org.jspecify.annotations.Nullable;

/**
 * One trial: connect all, hold them while messages flow, wait for what is under way, say
 * goodbye. It passes when nothing at all went wrong.
 */
final class IdleTrial implements AutoCloseable {

	private final Measures measures = new Measures();

	private final Report report = new Report(System.out, this.measures);

	private final IdleOptions options;

	private final String run;

	private final Sessions sessions;

	private final @Nullable ServerProbe probe;

	/**
	 * What can be said at the end of the hold only.
	 *
	 * @param cores that this process needed
	 */
	private record Hold(double cores, double deliveriesPerSecond) {
	}

	IdleTrial(IdleOptions options, String run) {
		this.options = options;
		this.run = run;
		Dialect dialect = options.plain ? new PlainDialect(options, run, this.measures)
				: new ParleyDialect(run, this.measures);
		this.sessions = new Sessions(options.target, options.sessions, dialect, this.measures);
		this.probe = (options.serverPid != null) ? new ServerProbe(options.serverPid) : null;
	}

	/** Runs it, prints what was measured, and completes the report. */
	RunReport run(List<Account> accounts, TrialReport trial) {
		int count = this.options.sessions;
		long emptyHeap = (this.probe != null) ? this.probe.liveHeapKb() : 0;
		boolean live = this.sessions.connect(accounts, count, this.options.connectRate, this.run);
		Hold hold = live ? hold() : new Hold(0, 0);
		long held = this.measures.live.sum();
		long liveHeap = (this.probe != null) ? this.probe.liveHeapKb() : 0;
		long resident = (this.probe != null) ? this.probe.residentKb() : 0;
		this.sessions.leave(this.options.drain);
		boolean passed = this.measures.passed(count);
		String title = this.report.title(passed, this.options, this.run);
		this.report.latencies();
		this.report.counts(count, this.options.plain, held, hold.deliveriesPerSecond());
		this.report.generator(hold.cores());
		if (this.probe != null) {
			this.report.server(emptyHeap, liveHeap, resident, count);
			trial.lower("server heap for each session", (double) (liveHeap - emptyHeap) / count, "KB")
				.lower("server resident", resident / 1024.0, "MB");
		}
		trial.higher("sessions held", held, "")
			.higher("deliveries", hold.deliveriesPerSecond(), "1/s")
			.generator(hold.cores())
			.add(this.measures, this.sessions.timeLine());
		String what = String.format(Locale.ROOT, "%,d of %,d sessions held for %d s, every delivery checked", held,
				count, this.options.hold.toSeconds());
		return trial.finish(passed, title, Verdicts.of(passed, what, this.measures, count));
	}

	private Hold hold() {
		Publisher publisher = new Publisher(this.sessions.all(), this.run, this.measures);
		if (this.options.rate > 0 && this.options.warmup.isPositive()) {
			this.sessions.progress().phase("warming up", this.options.warmup.plus(this.options.hold));
			publisher.warmUp(this.options.rate, this.options.warmup);
		}
		this.sessions.progress().phase("holding", this.options.hold);
		Generator before = Generator.now();
		publisher.holdFor(this.options.rate, this.options.hold);
		Generator.Use use = before.until(Generator.now());
		Hold hold = new Hold(use.cores(),
				this.measures.delivered.sum() * (double) TimeUnit.SECONDS.toNanos(1) / use.nanos());
		this.sessions.drain(this.options.drain);
		return hold;
	}

	@Override
	public void close() {
		this.sessions.close();
	}

}
