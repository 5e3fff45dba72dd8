package io.parley.jmeter;

import java.net.URI;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The options of a run of a plan.
 */
final class JmeterOptions {

	@Option(names = "--url", description = "The server. Default: ${DEFAULT-VALUE}")
	URI url = URI.create("http://127.0.0.1:8080");

	@Option(names = "--i-own-this-host", description = "Allow a server that is not on this machine.")
	boolean owned;

	@Option(names = "--plan",
			description = "seven-steps: open, CONNECT, read, SUBSCRIBE, read, DISCONNECT, close; send: also"
					+ " messages and their receipts; or the path of a .jmx file. Default: ${DEFAULT-VALUE}")
	String plan = "seven-steps";

	@Option(names = "--users", description = "Users of the plan, one thread for each. Default: ${DEFAULT-VALUE}")
	int users = 100;

	@Option(names = "--ramp", paramLabel = "<seconds>",
			description = "Seconds within which all users start. Default: ${DEFAULT-VALUE}")
	int ramp = 10;

	@Option(names = "--loops", description = "Repetitions of the steps for each user. Default: ${DEFAULT-VALUE}")
	int loops = 1;

	@Option(names = "--hold", paramLabel = "<seconds>",
			description = "Seconds that each user stays before DISCONNECT: with --hold equal to --ramp all users"
					+ " are connected at once. Default: ${DEFAULT-VALUE}")
	int hold;

	@Option(names = "--messages",
			description = "With --plan send: messages of each user in a loop. Default: ${DEFAULT-VALUE}")
	int messages = 10;

	@Option(names = "--think", paramLabel = "<ms>",
			description = "With --plan send: the pause before each message. Default: ${DEFAULT-VALUE}")
	int think = 1000;

	@Option(names = "--plain",
			description = "The server speaks STOMP at /ws and does not have Parley's accounts. It need not confirm"
					+ " a SUBSCRIBE.")
	boolean plain;

	@Option(names = "--login", description = "With --plain: the login in CONNECT. Default: none")
	@Nullable String login;

	@Option(names = "--passcode", description = "With --plain: the passcode in CONNECT. Default: none")
	@Nullable String passcode;

	@Option(names = "--csv", paramLabel = "<file>",
			description = "Only sign up and write the users to this file, for JMeter's own GUI: open the plan there with"
					+ " -Jtokens=<file>.")
	@Nullable Path csv;

	@Option(names = "--report", paramLabel = "<folder>",
			description = "Where the folder with JMeter's report goes. Default: ${DEFAULT-VALUE}")
	Path report = Path.of("loadtest-reports");

	/**
	 * Checks that the options are valid together.
	 * @throws RefusedException when they are not
	 */
	void check() {
		require(this.users > 0 && this.loops > 0 && this.messages > 0,
				"--users, --loops and --messages must be above 0.");
		require(this.ramp >= 0 && this.hold >= 0 && this.think >= 0, "--ramp, --hold and --think must not be below 0.");
		require("http".equals(this.url.getScheme()) && this.url.getHost() != null,
				"--url " + this.url + " is not an address, as http://127.0.0.1:8080.");
		require(this.plain || (this.login == null && this.passcode == null),
				"--login and --passcode need --plain: at a Parley server the kit signs up its own users.");
		require(!this.plain || !"send".equals(this.plan),
				"--plain needs --plan seven-steps: other servers need not confirm a SEND.");
	}

	int port() {
		return (this.url.getPort() > 0) ? this.url.getPort() : 80;
	}

	private static void require(boolean condition, String sentence) {
		if (!condition) {
			throw new RefusedException(sentence);
		}
	}

}
