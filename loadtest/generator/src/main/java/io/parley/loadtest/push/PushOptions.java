package io.parley.loadtest.push;

import java.net.URI;
import java.time.Duration;

import io.parley.loadtest.cli.Span;
import io.parley.loadtest.cli.Target;
import io.parley.loadtest.trial.Refusals;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * The options of {@code push}: one room, its members, and the fake FCM.
 */
final class PushOptions {

	@Mixin
	Target target = new Target();

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

	@Option(names = "--settle", converter = Span.class,
			description = "How long to wait for the pushes of a message. Default: 120s")
	Duration settle = Duration.ofSeconds(120);

	/**
	 * Checks that the options are valid together.
	 * @throws io.parley.loadtest.cli.RefusedException with the change to make
	 */
	void check() {
		Refusals.require(this.live > 0 && this.away > 0, "--live and --away must be above 0.");
		Refusals.checkTarget(this.target, this.live);
	}

}
