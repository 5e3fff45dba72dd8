package io.parley.loadtest;

import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadLocalRandom;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ./chat loadtest push}: signs up what the trial needs, and runs it. */
@Command(name = "push",
		description = "Sends messages to a room of which many members are away, and looks at a fake FCM whether each of"
				+ " their devices was told once, and when.",
		mixinStandardHelpOptions = true, showDefaultValues = false)
final class PushCommand implements Callable<Integer> {

	@Mixin
	private final PushOptions options = new PushOptions();

	@Override
	public Integer call() {
		Refusals.check(this.options);
		String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);
		try (RestApi api = new RestApi(this.options.target.url); FcmCounts fcm = new FcmCounts(this.options.fcm)) {
			fcm.now();
			List<Account> live = new Population(api, run, 1, this.options.away).create(this.options.live);
			try (PushTrial trial = new PushTrial(this.options, run, api, fcm, live)) {
				return trial.run() ? 0 : 1;
			}
		}
	}

}
