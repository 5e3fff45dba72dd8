package io.parley.loadtest.idle;

import java.time.Duration;
import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./chat loadtest idle}: holds many sessions under a low message rate. */
@Command(name = "idle", description = "Connects sessions, holds them under a low message rate, checks every delivery.",
		mixinStandardHelpOptions = true)
public final class IdleCommand extends TargetCommand {

	@Mixin
	private final IdleOptions options = new IdleOptions();

	public IdleCommand() {
		this.options.target = this.target;
	}

	@Override
	protected String process() {
		return (this.options.processes > 1) ? "coordinator" : super.process();
	}

	@Override
	protected void check() {
		this.options.check();
	}

	@Override
	protected List<Account> signUp(String run) {
		return this.options.plain ? PlainDialect.accounts(run, this.options.rooms)
				: signUp(this.target, run, this.options.rooms, this.options.users(), this.options.away);
	}

	@Override
	protected Duration length() {
		return this.options.length();
	}

	@Override
	protected RunReport run(Trial trial, List<Account> accounts) {
		try (IdleTrial idle = new IdleTrial(this.options, trial.run, trial.measures)) {
			return idle.run(accounts, trial);
		}
	}

}
