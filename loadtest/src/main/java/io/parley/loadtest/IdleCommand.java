package io.parley.loadtest;

import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

import io.parley.loadtest.cli.RefusedException;
import io.parley.loadtest.report.ReportOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code ./chat loadtest idle}: signs up what the trial needs, and runs it. */
@Command(name = "idle", description = "Connects sessions, holds them under a low message rate, checks every delivery.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
final class IdleCommand implements Callable<Integer> {

	@Mixin
	private final IdleOptions options = new IdleOptions();

	@Mixin
	private final ReportOptions reports = new ReportOptions();

	@Spec
	private @Nullable CommandSpec spec;

	@Override
	public Integer call() {
		Interrupt.listen();
		Refusals.check(this.options);
		if (!this.options.plain) {
			Refusals.checkReady(this.options.target);
		}
		TrialReport report = new TrialReport(Objects.requireNonNull(this.spec));
		String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
		List<Account> accounts = this.options.plain ? PlainDialect.accounts(run, this.options.rooms) : signUp(run);
		long shortest = accounts.stream().mapToLong(Account::tokenSeconds).min().orElse(0);
		if (shortest > 0 && shortest < this.options.length().toSeconds()) {
			throw new RefusedException(
					"The server's tokens live %,d s, connecting and holding takes %,d s: shorten --hold or give"
						.formatted(shortest, this.options.length().toSeconds())
							+ " the tokens a longer life at the server.");
		}
		try (IdleTrial trial = new IdleTrial(this.options, run)) {
			return this.reports.finish(trial.run(accounts, report));
		}
	}

	private List<Account> signUp(String run) {
		try (RestApi api = new RestApi(this.options.target.url)) {
			return new Population(api, run, this.options.rooms, this.options.away).create(this.options.users());
		}
	}

}
