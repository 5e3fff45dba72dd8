package io.parley.loadtest.push;

import java.util.List;

import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.TrialCommand;
import io.parley.loadtest.trial.TrialReport;
import io.parley.loadtest.user.Account;
import io.parley.loadtest.user.RestApi;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./chat loadtest push}: checks the pushes to offline members. */
@Command(name = "push",
		description = "Sends messages to a room with many offline members, and checks at a fake FCM that each of"
				+ " their devices got one push, and when.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
public final class PushCommand extends TrialCommand {

	@Mixin
	private final PushOptions options = new PushOptions();

	@Override
	protected RunReport run(String run, TrialReport report) {
		this.options.check();
		try (RestApi api = new RestApi(this.options.target.url); FcmCounts fcm = new FcmCounts(this.options.fcm)) {
			fcm.now();
			List<Account> live = signUp(this.options.target, run, 1, this.options.live, this.options.away);
			report.watch(this.options.target.serverPid);
			try (PushTrial trial = new PushTrial(this.options, run, api, fcm, live)) {
				return trial.run(report);
			}
		}
	}

}
