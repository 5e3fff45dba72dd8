package io.parley.loadtest.idle;

import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./chat loadtest idle}: holds many sessions under a low message rate. */
@Command(name = "idle", description = "Connects sessions, holds them under a low message rate, checks every delivery.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class IdleCommand extends TrialCommand {

	@Mixin
	private final IdleOptions options = new IdleOptions();

	@Override
	protected String process() {
		return (this.options.processes > 1) ? "coordinator" : super.process();
	}

	@Override
	protected RunReport run(String run, TrialReport report) {
		this.options.check();
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
