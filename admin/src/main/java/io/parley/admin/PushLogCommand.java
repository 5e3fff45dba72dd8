package io.parley.admin;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(name = "push-log", header = "Shows why a user was or was not notified of the messages of a room by push.",
		footer = { "", "Example", "  ./chat push-log bob i3l4NkYsRLTCHWPx 1099511627777" })
final class PushLogCommand extends AdminCommand {

	@Parameters(index = "0", paramLabel = "USER", description = "The name of the user.")
	private String user = "";

	@Parameters(index = "1", paramLabel = "ROOM", description = "The id of the room.")
	private String room = "";

	@Parameters(index = "2", paramLabel = "POSITION", arity = "0..1",
			description = "The position of one message; all without it.")
	private @Nullable Long position;

	PushLogCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			return session.send(session.server()
				.request("/api/push/log.txt?user=" + encode(this.user) + "&room=" + encode(this.room)
						+ ((this.position != null) ? "&position=" + this.position : "")));
		}
	}

}
