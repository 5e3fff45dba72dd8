package io.parley.loadtest;

import java.util.List;

import io.parley.loadtest.report.RunReport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./chat loadtest idle}: holds many sessions under a low message rate. */
@Command(name = "idle", description = "Connects sessions, holds them under a low message rate, checks every delivery.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
final class IdleCommand extends TrialCommand {

	@Mixin
	private final IdleOptions options = new IdleOptions();

	@Override
	String process() {
		return (this.options.processes > 1) ? "coordinator" : super.process();
	}

	@Override
	RunReport run(String run, TrialReport report) {
		Refusals.check(this.options);
		List<Account> accounts = this.options.plain ? PlainDialect.accounts(run, this.options.rooms)
				: signUp(this.options.target, run, this.options.rooms, this.options.users(), this.options.away);
		Refusals.checkTokens(accounts, this.options.length());
		report.watch(this.options.target.serverPid);
		try (IdleTrial trial = new IdleTrial(this.options, run)) {
			trial.watch(report);
			return trial.report(trial.run(accounts, () -> {
			}), report);
		}
	}

}
