package io.parley.loadtest.storm;

import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest storm}: opens all sessions at the same moment.
 */
@Command(name = "storm",
		description = "Opens all sessions at once, as after a restart, and reports the time until all are subscribed;"
				+ " then sends a little and checks every delivery.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class StormCommand extends TrialCommand {

	@Mixin
	private final StormOptions options = new StormOptions();

	@Override
	protected RunReport run(String run, TrialReport report) {
		Refusals.checkSessions(this.options.sessions, this.options.rooms, this.options.users());
		Refusals.require(this.options.rate >= 0, "--rate must not be below 0.");
		Refusals.require(this.options.practice >= 0 && this.options.practice <= this.options.sessions,
				"--practice must be between 0 and --sessions.");
		Refusals.checkTarget(this.options.target, this.options.sessions);
		List<Account> accounts = signUp(this.options.target, run, this.options.rooms, this.options.users());
		Refusals.checkTokens(accounts, this.options.sessionTimeout().plus(this.options.hold));
		report.watch(this.options.target.serverPid);
		try (StormTrial trial = new StormTrial(this.options, run)) {
			return trial.run(accounts, report);
		}
	}

}
