package io.parley.loadtest.push;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.parley.loadtest.cli.Http;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./chat loadtest push}: checks the pushes to offline members. */
@Command(name = "push",
		description = "Sends messages to a room with many offline members, and checks at a fake FCM that each of"
				+ " their devices got one push, and when.",
		mixinStandardHelpOptions = true)
public final class PushCommand extends TargetCommand {

	@Option(names = "--fcm",
			description = "The control address of the fake FCM that the server pushes to. Default: ${DEFAULT-VALUE}")
	URI fcm = URI.create("http://127.0.0.1:8444");

	@Option(names = "--live", description = "Members who follow the room. Default: ${DEFAULT-VALUE}")
	int live = 100;

	@Option(names = "--away", description = "Offline members, each with one device. Default: ${DEFAULT-VALUE}")
	int away = 400;

	@Option(names = "--messages",
			description = "Messages, one after the other; each is sent when the previous one has been pushed."
					+ " Default: ${DEFAULT-VALUE}")
	int messages = 1;

	@Option(names = "--settle", description = "How long to wait for the pushes of a message. Default: 120s")
	Duration settle = Duration.ofSeconds(120);

	@Override
	protected void check() {
		Preconditions.require(this.live > 0 && this.away > 0, "--live and --away must be above 0.");
		Preconditions.checkTarget(this.target, this.live);
		try (Http http = new Http()) {
			FcmCounts.read(http, this.fcm);
		}
	}

	@Override
	protected List<Account> signUp(String run) {
		return signUp(this.target, run, 1, this.live, this.away);
	}

	@Override
	protected RunReport run(Trial trial, List<Account> accounts) {
		try (PushTrial push = new PushTrial(this, this.target, trial, accounts)) {
			return push.run();
		}
	}

}
