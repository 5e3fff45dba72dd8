package io.parley.admin;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Without a subcommand, it lists accounts. */
@Command(name = "users", header = "Lists, creates and changes accounts, and makes links for them.", footer = { "",
		"Examples", "  ./chat users --search ann", "  ./chat users create anna", "  ./chat users disable anna" })
final class UsersCommand extends AdminCommand {

	private static final String USERS = "/api/operator/users";

	private static final String INVITES = "/api/operator/invites";

	@Option(names = "--search", paramLabel = "TEXT", description = "Only names that contain this text.")
	private String search = "";

	@Option(names = "--state", paramLabel = "STATE", description = "Only active, suspended or disabled accounts.")
	private @Nullable String state;

	@Option(names = "--after", paramLabel = "NAME", description = "Only names after this one.")
	private String after = "";

	@Option(names = "--limit", paramLabel = "N", description = "At most N accounts; default: ${DEFAULT-VALUE}.")
	private int limit = 100;

	UsersCommand(Map<String, String> environment) {
		super(environment);
	}

	@Override
	String answer() {
		try (OperatorSession session = signIn()) {
			JsonNode page = OperatorSession.json(session.send(session.server()
				.request(USERS + "?search=" + encode(this.search) + "&after=" + encode(this.after) + "&limit="
						+ this.limit + ((this.state != null) ? "&state=" + encode(this.state) : ""))));
			StringBuilder lines = new StringBuilder();
			page.path("users").forEach((user) -> lines.append(line(user)));
			return lines + more("--after", page.path("next"));
		}
	}

	private static String line(JsonNode user) {
		return "%-32s  %-9s  %-8s  %s%n".formatted(user.path("username").asString(), user.path("state").asString(),
				user.path("operator").asBoolean() ? "operator" : "", user.path("createdAt").asString());
	}

	@Command(header = "Creates an account, and prints the link with which its user sets the password.",
			mixinStandardHelpOptions = true)
	void create(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name) {
		try (OperatorSession session = signIn()) {
			print(link(session, session.send(post(session, USERS, Map.of("username", name)))));
		}
	}

	@Command(header = "Lets a user read, leave rooms and sign out, but not write.", mixinStandardHelpOptions = true)
	void suspend(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name) {
		change(name, Map.of("state", "suspended"));
	}

	@Command(header = "Ends all sign-ins of a user and allows no new ones. The name stays taken.",
			mixinStandardHelpOptions = true)
	void disable(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name) {
		change(name, Map.of("state", "disabled"));
	}

	@Command(header = "Makes a suspended or disabled account active again.", mixinStandardHelpOptions = true)
	void reactivate(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name) {
		change(name, Map.of("state", "active"));
	}

	@Command(header = "Makes a user an operator, or takes it back.", mixinStandardHelpOptions = true)
	void operator(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name,
			@Option(names = "--remove", description = "The user is no operator any more.") boolean remove) {
		change(name, Map.of("operator", !remove));
	}

	private void change(String name, Map<String, ?> change) {
		try (OperatorSession session = signIn()) {
			HttpRequest.Builder request = session.server()
				.request(path(name))
				.method("PATCH", BodyPublishers.ofString(OperatorSession.text(change)));
			print(line(OperatorSession.json(session.send(request))));
		}
	}

	@Command(header = "Prints a link with which a user sets a new password. It works once, for 30 minutes.",
			mixinStandardHelpOptions = true)
	void reset(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name) {
		try (OperatorSession session = signIn()) {
			print(link(session, session.send(post(session, path(name) + "/reset", Map.of()))));
		}
	}

	@Command(name = "sign-ins", header = "Lists the devices on which a user is signed in, the last used one first.",
			mixinStandardHelpOptions = true)
	void signIns(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name) {
		try (OperatorSession session = signIn()) {
			StringBuilder lines = new StringBuilder();
			OperatorSession.json(session.send(session.server().request(path(name) + "/sign-ins")))
				.forEach((one) -> lines.append("%s  since %s, used %s, until %s  %s%n".formatted(
						one.path("id").asString(), one.path("createdAt").asString(), one.path("usedAt").asString(),
						one.path("expiresAt").asString(), oneLine(one.path("device")))));
			print(lines.toString());
		}
	}

	@Command(name = "sign-out", header = "Ends all sign-ins of a user, or one of them.",
			mixinStandardHelpOptions = true)
	void signOut(@Parameters(paramLabel = "NAME", description = "The name of the user.") String name,
			@Option(names = "--id", paramLabel = "ID",
					description = "Only the sign-in with this id.") @Nullable String id) {
		try (OperatorSession session = signIn()) {
			session.send(session.server()
				.request(path(name) + "/sign-ins" + ((id != null) ? "/" + encode(id) : ""))
				.DELETE());
			print((id != null) ? "The sign-in has ended.\n" : "All sign-ins of " + name + " have ended.\n");
		}
	}

	@Command(header = "Prints a link with which people register.", mixinStandardHelpOptions = true)
	void invite(
			@Option(names = "--uses", paramLabel = "N", defaultValue = "1",
					description = "How many accounts; default: ${DEFAULT-VALUE}.") int uses,
			@Option(names = "--hours", paramLabel = "N", defaultValue = "168",
					description = "How long it is valid, up to 720; default: ${DEFAULT-VALUE}.") int hours) {
		try (OperatorSession session = signIn()) {
			print(link(session, session
				.send(post(session, INVITES, Map.of("uses", uses, "expiresIn", Math.multiplyExact(hours, 3600))))));
		}
	}

	@Command(header = "Lists the links with which people register.", mixinStandardHelpOptions = true)
	void invites() {
		try (OperatorSession session = signIn()) {
			StringBuilder lines = new StringBuilder();
			OperatorSession.json(session.send(session.server().request(INVITES)))
				.forEach((invite) -> lines.append("%s  by %s, used %d of %d, until %s%n".formatted(
						invite.path("id").asString(), invite.path("createdBy").asString(), invite.path("uses").asInt(),
						invite.path("maxUses").asInt(), invite.path("expiresAt").asString())));
			print(lines.toString());
		}
	}

	@Command(header = "Revokes a link with which people register.", mixinStandardHelpOptions = true)
	void revoke(@Parameters(paramLabel = "ID", description = "The id of the link.") String id) {
		try (OperatorSession session = signIn()) {
			session.send(session.server().request(INVITES + "/" + encode(id)).DELETE());
			print("The link " + id + " is revoked.\n");
		}
	}

	private static HttpRequest.Builder post(OperatorSession session, String path, Map<String, ?> body) {
		return session.server().request(path).POST(BodyPublishers.ofString(OperatorSession.text(body)));
	}

	private static String path(String name) {
		return USERS + "/" + encode(name);
	}

	private static String link(OperatorSession session, String answer) {
		JsonNode link = OperatorSession.json(answer);
		return "%s%s%nValid until %s. Give it to the user over a safe channel.%n".formatted(session.server().url(),
				link.path("path").asString(), link.path("expiresAt").asString());
	}

}
