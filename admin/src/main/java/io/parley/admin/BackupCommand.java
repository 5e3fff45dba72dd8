package io.parley.admin;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

import picocli.CommandLine.Command;

/** The management port needs no sign-in: it listens on this machine only. */
@Command(name = "server-backup", hidden = true,
		header = "Lets the server make a backup, and prints the folder of the server that holds it.")
final class BackupCommand extends AdminCommand {

	/** A large log and database take long. */
	private static final Duration TIMEOUT = Duration.ofHours(12);

	BackupCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		String port = variable("MANAGEMENT_SERVER_PORT", "9090");
		HttpServer server = new HttpServer(variable("CHAT_MANAGEMENT_URL", "http://localhost:" + port),
				"CHAT_MANAGEMENT_URL");
		HttpResponse<String> response = server
			.send(server.request("/actuator/backup").POST(BodyPublishers.ofString("{}")), TIMEOUT);
		String directory = OperatorSession.field(response.body(), "directory");
		if (directory.isEmpty()) {
			throw new AdminException("no backup was made: %s answered with status %d. %s".formatted(server.url(),
					response.statusCode(), OperatorSession.field(response.body(), "error")));
		}
		return directory + "\n";
	}

}
