package io.parley.loadtest.pubsub;

import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest pubsub}: sends messages in rooms at constant rates.
 */
@Command(name = "pubsub",
		description = "Sends messages in rooms at a constant rate and times and checks every delivery. The latency counts"
				+ " from when a message should have been sent.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PubsubCommand extends TrialCommand {

	@Mixin
	private final PubsubOptions options = new PubsubOptions();

	@Override
	protected RunReport run(String run, TrialReport report) {
		this.options.check();
		List<Account> accounts = signUp(this.options.target, run, this.options.rooms, this.options.users());
		Refusals.checkTokens(accounts, this.options.length());
		report.watch(this.options.target.serverPid);
		try (PubsubTrial trial = new PubsubTrial(this.options, run)) {
			return trial.run(accounts, report);
		}
	}

}
