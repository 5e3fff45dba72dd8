package io.parley.loadtest;

import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./chat loadtest ledger}: signs up what the run needs, and runs it. */
@Command(name = "ledger",
		description = "Sends messages, whatever happens to the server meanwhile, and then compares: is each accepted message"
				+ " in the history exactly once, and did everybody see it once and in order?",
		mixinStandardHelpOptions = true, showDefaultValues = false)
final class LedgerCommand implements Callable<Integer> {

	@Mixin
	private final LedgerOptions options = new LedgerOptions();

	@Override
	public Integer call() {
		Refusals.check(this.options);
		String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
		try (RestApi api = new RestApi(this.options.target.url)) {
			List<Account> accounts = new Population(api, run, this.options.rooms).create(this.options.users);
			try (LedgerRun ledger = new LedgerRun(this.options, run, api, accounts)) {
				return ledger.run() ? 0 : 1;
			}
		}
	}

}
