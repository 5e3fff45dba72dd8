package io.parley.server.push;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.admin.Admin;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.log.ParkedEvents;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests {@code ./chat push-log} and the other commands for operators. */
@UnlimitedServer
class AdminCommandTests {

	private final ChatServer server;

	private final PushLogRepository log;

	private final ParkedEvents parked;

	private final JdbcTemplate database;

	AdminCommandTests(ChatServer server, PushLogRepository log, ParkedEvents parked, JdbcTemplate database) {
		this.server = server;
		this.log = log;
		this.parked = parked;
		this.database = database;
	}

	/** The exit status and the output of the command. */
	private record Run(int status, String output) {
	}

	@Test
	void printsReadableLines() {
		this.server.user("olga");
		this.server.user("dora");
		String room = this.server.room("anna");
		this.log.add(List.of(new PushLogEntry("dora", room, 5, 5, Instant.parse("2026-01-31T08:00:00.123Z"),
				PushLogEntry.Outcome.NO_DEVICE, null, null, "none")));
		Run run = run("olga", ChatApi.PASSWORD, this.server.http("/").toString(), "dora", room, "5");
		assertThat(run.output()).startsWith("2026-01-31T08:00:00.123Z  no-device ")
			.endsWith("The user had no device when the push was decided.\n");
		assertThat(run.status()).isZero();
		assertThat(run("olga", ChatApi.PASSWORD, this.server.http("").toString(), "dora", room).output())
			.contains("no-device", "Entries, the newest first: 1");
	}

	@Test
	void explainsErrors() {
		String room = this.server.room("anna");
		this.server.user("olga");
		String url = this.server.http("").toString();
		assertFailure(run("anna", ChatApi.PASSWORD, url, "anna", room), "anna is not an operator");
		assertFailure(run("olga", "wr\"o\\ng", url, "anna", room), "rejects the password of olga");
		assertFailure(run("olga", ChatApi.PASSWORD, url, "anna", "none"), "There is no room 'none'.");
		assertFailure(run("olga", ChatApi.PASSWORD, "http://127.0.0.1:1", "anna", room), "no server answers at");
		assertFailure(run("olga", ChatApi.PASSWORD, "localhost:8080", "anna", room),
				"It looks like http://localhost:8080");
		assertFailure(run("olga", ChatApi.PASSWORD, url, "anna", "-none"), "There is no room '-none'.");
		assertUsage(run("olga", ChatApi.PASSWORD, url, "anna"), "Missing required parameter: 'ROOM'");
		assertUsage(run("olga", ChatApi.PASSWORD, url, "anna", room, "x"), "'x' is not a long");
	}

	@Test
	void showsAndClosesReports() {
		String url = this.server.http("").toString();
		this.server.user("olga");
		String room = this.server.room("anna", "bert");
		long position = this.server.user("bert").say(room, "c1", "one\n\u001b[2Jtwo");
		long id = this.server.user("anna")
			.post("/api/rooms/" + room + "/messages/" + position + "/report", Map.of("reason", "It is\nrude"))
			.expect(201)
			.body()
			.path("id")
			.asLong();
		Run list = command("olga", ChatApi.PASSWORD, url, "reports", "--room", room);
		assertThat(list.status()).isZero();
		assertThat(list.output()).startsWith(id + "  ")
			.contains("open  room " + room + ", position " + position + ", by bert, reported by anna")
			.contains("reason: It is rude\n", "text: one [2Jtwo\n");
		assertThat(command("olga", ChatApi.PASSWORD, url, "reports", "resolve", "" + id, "--note", "bert was told")
			.output()).contains("resolved", "closed by: olga", "note: bert was told").doesNotContain("two");
		assertThat(command("olga", ChatApi.PASSWORD, url, "reports", "--room", room).output()).isEmpty();
		assertThat(command("olga", ChatApi.PASSWORD, url, "reports", "--room", room, "--state", "all").output())
			.contains("bert was told");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "reports", "dismiss", "" + id), "is resolved already");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "reports", "dismiss", "-1"), "no report -1");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "reports", "--state", "x"), "'state' must be");
		assertFailure(command("anna", ChatApi.PASSWORD, url, "reports"), "anna is not an operator");
		assertUsage(command("olga", ChatApi.PASSWORD, url, "reports", "resolve"), "Missing required parameter: 'ID'");
	}

	@Test
	void showsRoomsAndSignIns() {
		String url = this.server.http("").toString();
		this.server.user("olga");
		String room = this.server.room("rosa", "bert");
		assertThat(command("olga", ChatApi.PASSWORD, url, "rooms", "--member", "rosa").output()).startsWith(room)
			.contains(" 2 members ", " by rosa ");
		assertThat(command("olga", ChatApi.PASSWORD, url, "rooms", "--limit", "1").output())
			.contains("There may be more: --after ");
		assertThat(command("olga", ChatApi.PASSWORD, url, "rooms", "members", room).output())
			.matches("(?s)bert +member .*\\Rrosa +owner .*");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "rooms", "members", "none"), "no room 'none'");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "rooms", "--limit", "0"), "'limit' must be 1 to 500");
		assertFailure(command("rosa", ChatApi.PASSWORD, url, "rooms"), "rosa is not an operator");
		String signIn = this.server.user("rosa").signIn();
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "sign-ins", "rosa").output()).contains(signIn);
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "sign-out", "rosa", "--id=" + signIn).output())
			.isEqualTo("The sign-in has ended.\n");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "users", "sign-out", "rosa", "--id=" + signIn),
				"'rosa' has no such sign-in");
	}

	@Test
	void showsReadersAndParkedRecords() {
		String url = this.server.http("").toString();
		this.server.user("olga");
		this.server.user("anna");
		this.server.user("anna").say(this.server.room("anna"), "read", "by both workers");
		await().untilAsserted(() -> assertThat(command("olga", ChatApi.PASSWORD, url, "readers").output())
			.containsPattern("persistence +unread: 0 in 0 partitions +parked: 0")
			.containsPattern("notification +unread: 0 in 0 partitions"));
		this.parked.park("persistence", 1, 1, 7, "not\n\u001b[2Jreadable", new byte[3]);
		try {
			assertThat(command("olga", ChatApi.PASSWORD, url, "readers").output()).contains("parked: 1");
			assertThat(command("olga", ChatApi.PASSWORD, url, "parked").output())
				.contains("partition 1, epoch 1, offset 7, 3 bytes: not [2Jreadable\n");
			assertThat(command("olga", ChatApi.PASSWORD, url, "parked", "--reader", "notification").output()).isEmpty();
		}
		finally {
			assertThat(this.database.update("DELETE FROM parked_event WHERE record_offset = 7")).isOne();
		}
		assertFailure(command("olga", ChatApi.PASSWORD, url, "parked", "--reader", "x"), "'reader' must be one of");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "parked", "--limit", "501"), "'limit' must be");
		assertFailure(command("anna", ChatApi.PASSWORD, url, "readers"), "anna is not an operator");
	}

	@Test
	void supportsAnUpgrade() {
		String url = this.server.http("").toString();
		this.server.user("olga");
		this.server.user("anna");
		assertThat(command("olga", ChatApi.PASSWORD, url, "record-format").output()).contains("format 2", "up to 2");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "record-format", "3"), "up to 2 only");
		assertUsage(command("olga", ChatApi.PASSWORD, url, "record-format", "two"), "'two' is not an int");
		assertThat(command("olga", ChatApi.PASSWORD, url, "replay-parked").output()).startsWith("Stored: 0.");
		assertFailure(command("anna", ChatApi.PASSWORD, url, "replay-parked"), "anna is not an operator");
	}

	@Test
	void administersUsers() {
		String url = this.server.http("").toString();
		this.server.user("olga");
		this.server.user("anna");
		Run created = command("olga", ChatApi.PASSWORD, url, "users", "create", "cli-user");
		assertThat(created.output()).startsWith(url + "/account.html#reset=").contains("Valid until");
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "--search", "CLI-").output())
			.matches("cli-user +active .*\\R");
		for (String[] change : new String[][] { { "suspend", "suspended" }, { "disable", "disabled" },
				{ "reactivate", "active" }, { "operator", "operator" } }) {
			assertThat(command("olga", ChatApi.PASSWORD, url, "users", change[0], "cli-user").output())
				.contains("cli-user", change[1]);
		}
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "operator", "cli-user", "--remove").output())
			.doesNotContain("operator");
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "reset", "cli-user").output()).contains("#reset=");
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "sign-out", "cli-user").output())
			.contains("All sign-ins of cli-user have ended.");
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "invite", "--uses", "3").output())
			.contains("#invite=");
		String invites = command("olga", ChatApi.PASSWORD, url, "users", "invites").output();
		assertThat(invites).contains("by olga, used 0 of 3");
		String id = invites.lines().filter((line) -> line.contains("0 of 3")).findFirst().orElseThrow().split(" ")[0];
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "revoke", "--", id).output()).contains("is revoked");
		assertThat(command("olga", ChatApi.PASSWORD, url, "users", "invites").output()).doesNotContain(id);
		assertFailure(command("olga", ChatApi.PASSWORD, url, "users", "disable", "no one"),
				"There is no user 'no one'");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "users", "operator", "olga", "--remove"),
				"'olga' is the last active operator");
		assertFailure(command("anna", ChatApi.PASSWORD, url, "users"), "anna is not an operator");
		assertUsage(command("olga", ChatApi.PASSWORD, url, "users", "explode", "anna"), "explode");
		assertThat(command("olga", ChatApi.PASSWORD, url, "audit", "--user", "cli-user", "--action", "user_updated")
			.output()).contains("user_updated", "by olga", "about cli-user", "from 127.0.0.1");
		assertThat(command("olga", ChatApi.PASSWORD, url, "audit", "--limit", "1").output())
			.contains("There may be more: --before ");
		assertFailure(command("olga", ChatApi.PASSWORD, url, "audit", "--action", "x"), "not an action");
	}

	private static void assertFailure(Run run, String sentence) {
		assertThat(run.output()).contains(sentence);
		assertThat(run.status()).isEqualTo(1);
	}

	private static void assertUsage(Run run, String sentence) {
		assertThat(run.output()).contains(sentence);
		assertThat(run.status()).isEqualTo(2);
	}

	private static Run run(String user, String password, String url, String... arguments) {
		List<String> all = new ArrayList<>(List.of("push-log"));
		all.addAll(List.of(arguments));
		return command(user, password, url, all.toArray(String[]::new));
	}

	private static Run command(String user, String password, String url, String... arguments) {
		StringWriter output = new StringWriter();
		CommandLine commandLine = Admin
			.commandLine(Map.of("CHAT_USER", user, "CHAT_PASSWORD", password, "CHAT_URL", url));
		commandLine.setOut(new PrintWriter(output)).setErr(new PrintWriter(output, true));
		return new Run(commandLine.execute(arguments), output.toString());
	}

}
