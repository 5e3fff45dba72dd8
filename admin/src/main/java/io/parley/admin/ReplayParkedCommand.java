package io.parley.admin;

import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Map;

import picocli.CommandLine.Command;

@Command(name = "replay-parked", header = "Lets the server store the records that could not be stored before.")
final class ReplayParkedCommand extends AdminCommand {

	/** Many records take long. */
	private static final Duration TIMEOUT = Duration.ofHours(1);

	ReplayParkedCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			return session.send(session.server().request("/api/operator/parked/replay").POST(BodyPublishers.noBody()),
					TIMEOUT);
		}
	}

}
