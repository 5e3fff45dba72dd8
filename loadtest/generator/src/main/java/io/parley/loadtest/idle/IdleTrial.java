package io.parley.loadtest.idle;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.ServerProbe;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.ConsoleReport;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;

/**
 * One idle trial: connects all sessions, holds them while messages flow, waits for the
 * deliveries in flight, and disconnects. It passes when there was no failure of any kind.
 */
final class IdleTrial implements AutoCloseable {

	private final IdleOptions options;

	private final String run;

	private final Measures measures;

	private final ConsoleReport console;

	private final IdleLoad load;

	private final @Nullable ServerProbe probe;

	private String title = "";

	private @Nullable Memory memory;

	private record Memory(long emptyHeap, long liveHeap, long resident) {
	}

	IdleTrial(IdleOptions options, String run, Measures measures) {
		this.options = options;
		this.run = run;
		this.measures = measures;
		this.console = new ConsoleReport(measures);
		this.load = (options.processes > 1) ? new DistributedLoad(options, run, measures)
				: new LocalLoad(options, run, measures, Duration.ZERO);
		this.probe = (options.target.serverPid != null) ? new ServerProbe(options.target.serverPid) : null;
	}

	RunReport run(List<Account> accounts, Trial trial) {
		this.load.watch(trial);
		IdleResult result = run(accounts, () -> {
		});
		int count = this.options.sessions;
		trial.higher("sessions held", result.held(), "")
			.higher("deliveries", result.deliveriesPerSecond(), "1/s")
			.generator(result.cores())
			.add(this.measures, this.load.timeLine());
		if (this.memory != null) {
			trial
				.lower("server heap for each session",
						(double) (this.memory.liveHeap() - this.memory.emptyHeap()) / count, "KB")
				.lower("server resident", this.memory.resident() / 1024.0, "MB");
		}
		String what = String.format(Locale.ROOT, "%,d of %,d sessions held for %d s, every delivery checked",
				result.held(), count, this.options.hold.toSeconds());
		return trial.finish(result.passed(), this.title, this.measures.verdict(result.passed(), what, count));
	}

	/**
	 * Runs the trial and prints the results.
	 * @param beforeHold run when all sessions are connected, before any message is sent
	 */
	IdleResult run(List<Account> accounts, Runnable beforeHold) {
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
		boolean passed = this.measures.passed(this.options.sessions);
		print(passed, held, hold);
		return IdleResult.of(passed, held, hold, this.measures);
	}

	private void print(boolean passed, long held, IdleLoad.Hold hold) {
		int count = this.options.sessions;
		String warmup = this.options.warmup.isPositive() ? " warm-up %d s,".formatted(this.options.warmup.toSeconds())
				: "";
		String users = this.options.plain ? "" : String.format(Locale.ROOT, " of %,d users", this.options.users());
		this.title = String.format(Locale.ROOT,
				"idle%s, %,d sessions%s in %,d rooms,%s hold %d s, %s messages/s (run %s)",
				this.options.plain ? " --plain" : "", count, users, this.options.rooms, warmup,
				this.options.hold.toSeconds(), this.options.rate, this.run);
		this.console.title(passed, this.title);
		long established = this.measures.established.sum();
		if (established < count) {
			this.console.line("Nothing was held: only %,d sessions were subscribed.", established);
		}
		this.console.latencies();
		this.console.counts(count, this.options.plain, held, hold.deliveriesPerSecond());
		this.load.print(this.console, hold.cores());
		Memory kb = this.memory;
		if (kb != null) {
			this.console.line(
					"server: RSS %,d MB, live heap %,d MB / sessions = %.1f KB (%.1f KB above the empty server's %,d MB)",
					kb.resident() / 1024, kb.liveHeap() / 1024, (double) kb.liveHeap() / count,
					(double) (kb.liveHeap() - kb.emptyHeap()) / count, kb.emptyHeap() / 1024);
		}
	}

	@Override
	public void close() {
		this.load.close();
	}

}
