package io.parley.loadtest.ledger;

import java.util.List;
import java.util.Locale;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest ledger}: checks that each accepted message is stored and
 * delivered once.
 */
@Command(name = "ledger",
		description = "Sends messages, also while the server fails or restarts, and then checks that each"
				+ " accepted message is in the history exactly once and that every follower received it"
				+ " once and in order.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class LedgerCommand extends TrialCommand {

	@Mixin
	private final LedgerOptions options = new LedgerOptions();

	@Override
	protected RunReport run(String run, TrialReport report) {
		this.options.check();
		List<Account> accounts = signUp(this.options.target, run, this.options.rooms, this.options.users);
		String title = String.format(Locale.ROOT, "ledger, %s messages/s for %d s by %,d users in %,d rooms (run %s)",
				this.options.rate, this.options.duration.toSeconds(), this.options.users, this.options.rooms, run);
		report.watch(this.options.target.serverPid);
		try (RestApi api = new RestApi(this.options.target.url);
				LedgerRun ledger = new LedgerRun(this.options, run, api, accounts)) {
			return ledger.run(title, report);
		}
	}

}
