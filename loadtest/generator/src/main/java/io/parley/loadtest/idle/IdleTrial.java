package io.parley.loadtest.idle;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ServerProbe;
import io.parley.loadtest.measure.Verdicts;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Report;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;

/**
 * One idle trial: connects all sessions, holds them while messages flow, waits for the
 * deliveries in flight, and disconnects. It passes when there was no failure of any kind.
 */
final class IdleTrial implements AutoCloseable {

	private final Measures measures = new Measures();

	private final Report console = new Report(System.out, this.measures);

	private final IdleOptions options;

	private final String run;

	private final IdleLoad load;

	private final @Nullable ServerProbe probe;

	private String title = "";

	private @Nullable Memory memory;

	/**
	 * Memory of the server, in KB.
	 */
	private record Memory(long emptyHeap, long liveHeap, long resident) {
	}

	IdleTrial(IdleOptions options, String run) {
		this.options = options;
		this.run = run;
		this.load = (options.processes > 1) ? new SpreadLoad(options, run, this.measures)
				: new LocalLoad(options, run, this.measures);
		this.probe = (options.target.serverPid != null) ? new ServerProbe(options.target.serverPid) : null;
	}

	/**
	 * Runs the trial and prints the results.
	 * @param beforeHold run when all sessions are connected, before any message is sent
	 */
	IdleResult run(List<Account> accounts, Runnable beforeHold) {
		int count = this.options.sessions;
		long emptyHeap = (this.probe != null) ? this.probe.liveHeapKb() : 0;
		IdleLoad.Hold hold = IdleLoad.Hold.NONE;
		if (this.load.connect(accounts)) {
			beforeHold.run();
			hold = this.load.hold();
		}
		long held = this.measures.live.sum();
		if (this.probe != null) {
			this.memory = new Memory(emptyHeap, this.probe.liveHeapKb(), this.probe.residentKb());
		}
		this.load.leave();
		boolean passed = this.measures.passed(count);
		this.title = printTitle(passed);
		this.console.latencies();
		this.console.counts(count, this.options.plain, held, hold.deliveriesPerSecond());
		this.console.generator(this.load.name(), this.load.heap(), hold.cores());
		if (this.memory != null) {
			this.console.server(this.memory.emptyHeap(), this.memory.liveHeap(), this.memory.resident(), count);
		}
		return IdleResult.of(passed, held, hold, this.measures);
	}

	/**
	 * Prints the title line with the verdict, and returns the title without the verdict.
	 */
	private String printTitle(boolean passed) {
		this.console.line("");
		String warmup = this.options.warmup.isPositive() ? " warm-up %d s,".formatted(this.options.warmup.toSeconds())
				: "";
		String users = this.options.plain ? "" : String.format(Locale.ROOT, " of %,d users", this.options.users());
		String text = String.format(Locale.ROOT,
				"idle%s, %,d sessions%s in %,d rooms,%s hold %d s, %s messages/s (run %s)",
				this.options.plain ? " --plain" : "", this.options.sessions, users, this.options.rooms, warmup,
				this.options.hold.toSeconds(), this.options.rate, this.run);
		this.console.title(passed, text);
		long established = this.measures.established.sum();
		if (established < this.options.sessions) {
			this.console.line("Nothing was held: only %,d sessions were subscribed.", established);
		}
		return text;
	}

	/**
	 * Adds the resource use of further processes to the report, if there are any.
	 */
	void watch(TrialReport report) {
		this.load.watch(report);
	}

	/**
	 * Completes the report of a finished trial.
	 */
	RunReport report(IdleResult result, TrialReport report) {
		int count = this.options.sessions;
		report.higher("sessions held", result.held(), "")
			.higher("deliveries", result.deliveriesPerSecond(), "1/s")
			.generator(result.cores())
			.add(this.measures, this.load.timeLine());
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
		this.load.close();
	}

}
