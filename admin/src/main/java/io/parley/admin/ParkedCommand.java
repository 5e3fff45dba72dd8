package io.parley.admin;

import java.util.Map;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(name = "parked", header = "Lists the records that a worker could not handle, the newest first.",
		footer = { "", "Example", "  ./chat admin parked --reader notification" })
final class ParkedCommand extends AdminCommand {

	@Option(names = "--reader", paramLabel = "NAME",
			description = "persistence or notification; default: ${DEFAULT-VALUE}.")
	private String reader = "persistence";

	@Option(names = "--limit", paramLabel = "N", description = "At most N records; default: ${DEFAULT-VALUE}.")
	private int limit = 100;

	ParkedCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			StringBuilder lines = new StringBuilder();
			OperatorSession
				.json(session.send(session.server()
					.request("/api/operator/parked?reader=" + encode(this.reader) + "&limit=" + this.limit)))
				.forEach((record) -> lines.append("%s  partition %d, epoch %d, offset %d, %d bytes: %s%n".formatted(
						record.path("parkedAt").asString(), record.path("partition").asInt(),
						record.path("epoch").asLong(), record.path("offset").asLong(), record.path("bytes").asInt(),
						oneLine(record.path("reason")))));
			return lines.toString();
		}
	}

}
