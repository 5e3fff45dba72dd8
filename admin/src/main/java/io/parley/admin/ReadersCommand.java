package io.parley.admin;

import java.util.Map;

import picocli.CommandLine.Command;

@Command(name = "readers", header = "Shows how many records of the log the workers have not handled, and have parked.")
final class ReadersCommand extends AdminCommand {

	ReadersCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			StringBuilder lines = new StringBuilder();
			OperatorSession.json(session.send(session.server().request("/api/operator/readers")))
				.forEach((reader) -> lines.append("%-14s  unread: %d in %d partitions  parked: %d%n".formatted(
						reader.path("name").asString(), reader.path("unread").asLong(),
						reader.path("partitions").asInt(), reader.path("parked").asLong())));
			return lines.toString();
		}
	}

}
