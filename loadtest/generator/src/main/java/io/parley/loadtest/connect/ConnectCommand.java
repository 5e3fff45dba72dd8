package io.parley.loadtest.connect;

import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest connect}: opens and closes sessions at a constant rate.
 */
@Command(name = "connect",
		description = "Opens sessions at a constant rate; each subscribes to a room, stays for --hold and"
				+ " disconnects.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class ConnectCommand extends TrialCommand {

	@Mixin
	private final ConnectOptions options = new ConnectOptions();

	@Override
	protected RunReport run(String run, TrialReport report) {
		Refusals.require(this.options.connectRate > 0 && this.options.rooms > 0,
				"--connect-rate and --rooms must be above 0.");
		Refusals.checkTarget(this.options.target, this.options.atOnce());
		List<Account> accounts = signUp(this.options.target, run, this.options.rooms, this.options.users());
		Refusals.checkTokens(accounts, this.options.duration.plus(this.options.hold));
		report.watch(this.options.target.serverPid);
		try (ConnectTrial trial = new ConnectTrial(this.options, run)) {
			return trial.run(accounts, report);
		}
	}

}
