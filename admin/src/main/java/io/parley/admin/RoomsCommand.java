package io.parley.admin;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Without a subcommand, it lists rooms. */
@Command(name = "rooms", header = "Lists rooms and their members, without messages.",
		footer = { "", "Examples", "  ./chat admin rooms --search support", "  ./chat admin rooms --member anna",
				"  ./chat admin rooms members lobby" })
final class RoomsCommand extends AdminCommand {

	private static final String ROOMS = "/api/operator/rooms";

	@Option(names = "--search", paramLabel = "TEXT", description = "Only rooms whose name contains this text.")
	private String search = "";

	@Option(names = "--member", paramLabel = "NAME", description = "Only rooms of this user.")
	private @Nullable String member;

	@Option(names = "--after", paramLabel = "ID", description = "Only rooms whose id follows this one.")
	private String after = "";

	@Option(names = "--limit", paramLabel = "N", description = "At most N rooms; default: ${DEFAULT-VALUE}.")
	private int limit = 100;

	RoomsCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			JsonNode page = OperatorSession.json(session.send(session.server()
				.request(ROOMS + "?search=" + encode(this.search) + "&after=" + encode(this.after) + "&limit="
						+ this.limit + ((this.member != null) ? "&member=" + encode(this.member) : ""))));
			StringBuilder lines = new StringBuilder();
			page.path("rooms").forEach((room) -> lines.append(line(room, kind(room))));
			return lines + more("--after", page.path("next"));
		}
	}

	private static String line(JsonNode room, String kind) {
		return "%-20s  %-15s  %6d members  %s  by %s  %s%n".formatted(room.path("id").asString(), kind,
				room.path("memberCount").asInt(), room.path("createdAt").asString(), room.path("createdBy").asString(),
				oneLine(room.path("name")));
	}

	private static String kind(JsonNode room) {
		String kind = room.path("kind").asString();
		return (kind.equals("channel") && room.path("private").asBoolean()) ? "private channel" : kind;
	}

	@Command(header = "Lists the members of a room.", mixinStandardHelpOptions = true)
	void members(@Parameters(paramLabel = "ROOM", description = "The id of the room.") String room,
			@Option(names = "--after", paramLabel = "NAME", defaultValue = "",
					description = "Only names after this one.") String after,
			@Option(names = "--limit", paramLabel = "N", defaultValue = "100",
					description = "At most N members; default: ${DEFAULT-VALUE}.") int limit) {
		try (OperatorSession session = signIn()) {
			JsonNode page = OperatorSession.json(session.send(session.server()
				.request(ROOMS + "/" + encode(room) + "/members?after=" + encode(after) + "&limit=" + limit)));
			StringBuilder lines = new StringBuilder();
			page.path("members")
				.forEach((member) -> lines.append("%-32s  %-9s  %s%n".formatted(member.path("username").asString(),
						member.path("role").asString(""),
						member.has("mutedUntil") ? "muted until " + member.path("mutedUntil").asString() : "")));
			print(lines + more("--after", page.path("next")));
		}
	}

}
