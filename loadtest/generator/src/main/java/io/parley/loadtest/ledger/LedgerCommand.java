package io.parley.loadtest.ledger;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

import io.parley.loadtest.ledger.LedgerTrial.Cuts;
import io.parley.loadtest.ledger.LedgerTrial.Load;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.trial.Preconditions;
import io.parley.loadtest.trial.TargetCommand;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./chat loadtest ledger}: checks that each accepted message is stored and
 * delivered once.
 */
@Command(name = "ledger",
		description = "Sends messages, also while the server fails or restarts, and then checks that each"
				+ " accepted message is in the history exactly once and that every follower received it"
				+ " once and in order.",
		mixinStandardHelpOptions = true)
public final class LedgerCommand extends TargetCommand {

	@Option(names = "--rooms", description = "Group rooms. Default: ${DEFAULT-VALUE}")
	int rooms = 12;

	@Option(names = "--users",
			description = "Users, each with one session that sends and follows its room. Default: ${DEFAULT-VALUE}")
	int users = 60;

	@Option(names = "--rate", description = "Messages a second over all users. Default: ${DEFAULT-VALUE}")
	double rate = 500;

	@Option(names = "--duration", description = "How long to send, as 30s or 5m. Default: 30s")
	Duration duration = Duration.ofSeconds(30);

	@Option(names = "--settle",
			description = "How long to wait afterwards for each of receipts, the reader and deliveries. Default:"
					+ " 120s")
	Duration settle = Duration.ofSeconds(120);

	@Option(names = "--persistence",
			description = "Metrics of the persistence-worker, such as http://host:9090/actuator/prometheus:"
					+ " compare when it has stored all messages. Default: compare as soon as all are confirmed")
	@Nullable URI persistence;

	@Override
	protected void check() {
		Preconditions.require(this.users > 0 && this.rooms > 0 && this.rate > 0,
				"--users, --rooms and --rate must be above 0.");
		Preconditions.require(this.rooms <= this.users, "--rooms must not be above --users: a room needs a user.");
		LedgerTrial.checkRate(this.rate, this.users);
		Preconditions.checkTarget(this.target, this.users);
	}

	@Override
	protected List<Account> signUp(String run) {
		return signUp(run, this.rooms, this.users);
	}

	@Override
	protected RunReport run(Trial trial, List<Account> accounts) {
		Load load = new Load(this.rate, this.duration, this.settle, this.persistence, Cuts.NONE);
		try (LedgerTrial ledger = new LedgerTrial(this.target, load, trial, accounts)) {
			return ledger.run(String.format(Locale.ROOT, "ledger, %s messages/s for %d s by %,d users in %,d rooms",
					this.rate, this.duration.toSeconds(), this.users, this.rooms));
		}
	}

}
