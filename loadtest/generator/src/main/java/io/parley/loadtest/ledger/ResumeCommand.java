package io.parley.loadtest.ledger;

import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Refusals;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/**
 * {@code ./chat loadtest resume}: cuts connections and checks that no event is missing
 * afterwards.
 */
@Command(name = "resume",
		description = "Sends messages, cuts connections without a DISCONNECT, resumes after the last position, and"
				+ " checks that no event is lost or delivered twice. Reports the time to catch up.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class ResumeCommand extends TrialCommand {

	@Mixin
	private final ResumeOptions options = new ResumeOptions();

	@Override
	protected RunReport run(String run, TrialReport report) {
		this.options.check();
		List<Account> users = signUp(this.options.target, run, this.options.rooms, this.options.users());
		List<Account> accounts = IntStream.range(0, this.options.sessions)
			.mapToObj((n) -> users.get(n % users.size()))
			.toList();
		Refusals.checkTokens(users, this.options.ledger().duration.plus(this.options.settle));
		String title = String.format(Locale.ROOT,
				"resume, %,d sessions of %,d users in %,d rooms, %s messages/s, %.0f %% cut %d times (run %s)",
				this.options.sessions, this.options.users(), this.options.rooms, this.options.rate,
				100 * this.options.cut, this.options.rounds, run);
		report.watch(this.options.target.serverPid);
		try (RestApi api = new RestApi(this.options.target.url);
				LedgerRun ledger = new LedgerRun(this.options.ledger(), run, api, accounts)) {
			ledger.cut(this.options);
			return ledger.run(title, report);
		}
	}

}
