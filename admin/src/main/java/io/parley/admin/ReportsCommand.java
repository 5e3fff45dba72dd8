package io.parley.admin;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Without a subcommand, it lists reports. */
@Command(name = "reports",
		header = "Shows the messages that members have reported, the newest first, and closes reports.",
		footer = { "", "Examples", "  ./chat reports",
				"  ./chat reports resolve 17 --note \"deleted, anna is suspended\"", "  ./chat reports dismiss 18" })
final class ReportsCommand extends AdminCommand {

	private static final String REPORTS = "/api/operator/reports";

	@Option(names = "--state", paramLabel = "STATE",
			description = "open, resolved, dismissed or all; default: ${DEFAULT-VALUE}.")
	private String state = "open";

	@Option(names = "--room", paramLabel = "ROOM", description = "Only of this room.")
	private @Nullable String room;

	@Option(names = "--before", paramLabel = "ID", description = "Only reports older than this one.")
	private @Nullable Long before;

	@Option(names = "--limit", paramLabel = "N", description = "At most N reports; default: ${DEFAULT-VALUE}.")
	private int limit = 50;

	ReportsCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			JsonNode page = OperatorSession.json(session.send(session.server()
				.request(REPORTS + "?limit=" + this.limit + "&state=" + encode(this.state)
						+ ((this.room != null) ? "&room=" + encode(this.room) : "")
						+ ((this.before != null) ? "&before=" + this.before : ""))));
			StringBuilder lines = new StringBuilder();
			page.path("reports").forEach((report) -> lines.append(lines(report)));
			return lines + more("--before", page.path("next"));
		}
	}

	@Command(header = "Closes a report about which something was done.", mixinStandardHelpOptions = true)
	void resolve(@Parameters(paramLabel = "ID", description = "The number of the report.") long id,
			@Option(names = "--note", paramLabel = "TEXT", description = "What was done.") @Nullable String note) {
		close(id, "resolved", note);
	}

	@Command(header = "Closes a report about which nothing needs to be done.", mixinStandardHelpOptions = true)
	void dismiss(@Parameters(paramLabel = "ID", description = "The number of the report.") long id,
			@Option(names = "--note", paramLabel = "TEXT", description = "Why.") @Nullable String note) {
		close(id, "dismissed", note);
	}

	private void close(long id, String decision, @Nullable String note) {
		Map<String, String> body = new HashMap<>(Map.of("state", decision));
		if (note != null) {
			body.put("note", note);
		}
		try (OperatorSession session = signIn()) {
			HttpRequest.Builder request = session.server()
				.request(REPORTS + "/" + id)
				.method("PATCH", BodyPublishers.ofString(OperatorSession.text(body)));
			print(lines(OperatorSession.json(session.send(request))));
		}
	}

	private static String lines(JsonNode report) {
		StringBuilder lines = new StringBuilder("%d  %s  %s  room %s, position %d, by %s, reported by %s%n".formatted(
				report.path("id").asLong(), report.path("reportedAt").asString(), report.path("state").asString(),
				report.path("room").asString(), report.path("position").asLong(), report.path("sender").asString(),
				report.path("reporter").asString()));
		append(lines, "reason", report.path("reason"));
		append(lines, "text", report.path("text"));
		append(lines, "closed by", report.path("closedBy"));
		append(lines, "note", report.path("note"));
		return lines.toString();
	}

	private static void append(StringBuilder lines, String name, JsonNode value) {
		if (value.isString()) {
			lines.append("    ").append(name).append(": ").append(oneLine(value)).append('\n');
		}
	}

}
