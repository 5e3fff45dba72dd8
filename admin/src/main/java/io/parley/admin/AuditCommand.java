package io.parley.admin;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

@Command(name = "audit", header = "Shows who did what with accounts and rights, the newest first.",
		footer = { "", "Example", "  ./chat audit --user anna --action authn_login_fail" })
final class AuditCommand extends AdminCommand {

	@Option(names = "--user", paramLabel = "NAME", description = "Only what this user did, or what was done to them.")
	private @Nullable String user;

	@Option(names = "--action", paramLabel = "ACTION", description = "Only this action, such as user_created.")
	private @Nullable String action;

	@Option(names = "--before", paramLabel = "ID", description = "Only entries older than this one.")
	private @Nullable Long before;

	@Option(names = "--limit", paramLabel = "N", description = "At most N entries; default: ${DEFAULT-VALUE}.")
	private int limit = 50;

	AuditCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			JsonNode page = OperatorSession
				.json(session.send(session.server().request("/api/operator/audit?limit=" + this.limit + filters())));
			StringBuilder lines = new StringBuilder();
			page.path("events").forEach((event) -> lines.append(line(event)));
			return lines + more("--before", page.path("next"));
		}
	}

	private String filters() {
		return ((this.user != null) ? "&user=" + encode(this.user) : "")
				+ ((this.action != null) ? "&action=" + encode(this.action) : "")
				+ ((this.before != null) ? "&before=" + this.before : "");
	}

	private static String line(JsonNode event) {
		return "%s  %s  by %s  about %s  from %s  %s%n".formatted(event.path("at").asString(),
				event.path("action").asString(), event.path("actor").asString("-"), event.path("user").asString("-"),
				event.path("address").asString("-"),
				event.path("detail").isMissingNode() ? "" : event.path("detail").toString());
	}

}
