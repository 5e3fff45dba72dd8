package io.parley.loadtest;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.report.RunReport;
import org.jspecify.annotations.Nullable;

/**
 * One trial: connect all, hold them while messages flow, wait for what is under way, say
 * goodbye. It passes when nothing at all went wrong.
 */
final class IdleTrial implements AutoCloseable {

	private final Measures measures = new Measures();

	private final Report console = new Report(System.out, this.measures);

	private final IdleOptions options;

	private final String run;

	private final Sessions sessions;

	private final @Nullable ServerProbe probe;

	private String title = "";

	private @Nullable Memory memory;

	/**
	 * What can be said at the end of the hold only.
	 *
	 * @param from when the hold began, {@link System#nanoTime()}
	 * @param to when the last message was sent
	 * @param cores that this process needed
	 */
	record Hold(long from, long to, double cores, double acceptedPerSecond, double deliveriesPerSecond) {
	}

	/** Of the server, in KB. */
	private record Memory(long emptyHeap, long liveHeap, long resident) {
	}

	IdleTrial(IdleOptions options, String run) {
		this.options = options;
		this.run = run;
		Dialect dialect = options.plain ? new PlainDialect(options, run, this.measures)
				: new ParleyDialect(run, this.measures);
		this.sessions = new Sessions(options.target, options.sessions, dialect, this.measures);
		this.probe = (options.target.serverPid != null) ? new ServerProbe(options.target.serverPid) : null;
	}

	/**
	 * Runs it and prints what was measured.
	 * @param beforeHold run when all are connected, before anything is sent
	 */
	IdleResult run(List<Account> accounts, Runnable beforeHold) {
		int count = this.options.sessions;
		long emptyHeap = (this.probe != null) ? this.probe.liveHeapKb() : 0;
		boolean live = this.sessions.connect(accounts, count, this.options.connectRate, this.run);
		Hold hold = live ? hold(beforeHold) : new Hold(0, 0, 0, 0, 0);
		long held = this.measures.live.sum();
		if (this.probe != null) {
			this.memory = new Memory(emptyHeap, this.probe.liveHeapKb(), this.probe.residentKb());
		}
		this.sessions.leave(this.options.drain);
		boolean passed = this.measures.passed(count);
		this.title = this.console.title(passed, this.options, this.run);
		this.console.latencies();
		this.console.counts(count, this.options.plain, held, hold.deliveriesPerSecond());
		this.console.generator(hold.cores());
		if (this.memory != null) {
			this.console.server(this.memory.emptyHeap(), this.memory.liveHeap(), this.memory.resident(), count);
		}
		return IdleResult.of(passed, held, hold, this.measures);
	}

	private Hold hold(Runnable before) {
		before.run();
		Publisher publisher = new Publisher(this.sessions.all(), this.run, this.measures);
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

	/** Completes the report of a trial that was run. */
	RunReport report(IdleResult result, TrialReport report) {
		int count = this.options.sessions;
		report.higher("sessions held", result.held(), "")
			.higher("deliveries", result.deliveriesPerSecond(), "1/s")
			.generator(result.cores())
			.add(this.measures, this.sessions.timeLine());
		if (this.memory != null) {
			report
				.lower("server heap for each session",
						(double) (this.memory.liveHeap() - this.memory.emptyHeap()) / count, "KB")
				.lower("server resident", this.memory.resident() / 1024.0, "MB");
		}
		String what = String.format(Locale.ROOT, "%,d of %,d sessions held for %d s, every delivery checked",
				result.held(), count, this.options.hold.toSeconds());
		return report.finish(result.passed(), this.title, Verdicts.of(result.passed(), what, this.measures, count));
	}

	@Override
	public void close() {
		this.sessions.close();
	}

}
