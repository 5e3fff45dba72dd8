package io.parley.server.account;

import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;

/** A user sets a new password with a link that an operator made. */
@UnlimitedServer
class ResetTests {

	private static final String PATH = "/api/auth/reset";

	private static final String NEW = "a new secret of the tests";

	private final ChatServer server;

	private final JdbcTemplate database;

	@MockitoSpyBean
	private SignInEnder signIns;

	ResetTests(ChatServer server, JdbcTemplate database) {
		this.server = server;
		this.database = database;
	}

	@Test
	void aLinkSetsThePasswordOnceAndEndsAllSignIns() {
		this.server.user("r-anna");
		String token = link("r-anna");
		ChatApi.Answer answer = reset(token, NEW).expect(204);
		assertThat(answer.response().body()).isEmpty();
		assertThat(login("r-anna", ChatApi.PASSWORD)).isEqualTo(401);
		assertThat(login("r-anna", NEW)).isEqualTo(200);
		Mockito.verify(this.signIns).endAll("r-anna", SignInEnd.PASSWORD_RESET);
		assertThat(reset(token, "another secret of the tests").expect(400).code()).isEqualTo("bad-token");
		assertThat(login("r-anna", NEW)).isEqualTo(200);
	}

	@Test
	void wrongUsedExpiredAndReplacedLinksAnswerAlike() {
		for (String user : List.of("r-used", "r-late", "r-twice", "r-gone", "r-changed")) {
			this.server.user(user);
		}
		String used = link("r-used");
		reset(used, NEW).expect(204);
		String expired = link("r-late");
		this.database.update("UPDATE password_reset SET expires_at = '2026-01-01 00:00:00' WHERE username = 'r-late'");
		String replaced = link("r-twice");
		String latest = link("r-twice");
		String disabled = link("r-gone");
		olga().patch("/api/operator/users/r-gone", Map.of("state", "disabled")).expect(200);
		olga().patch("/api/operator/users/r-gone", Map.of("state", "active")).expect(200);
		String outdated = link("r-changed");
		this.server.user("r-changed")
			.put("/api/me/password", Map.of("current", ChatApi.PASSWORD, "password", NEW))
			.expect(204);
		List<String> answers = List
			.of("", "AAAAAAAAAAAAAAAAAAAAAA", "ä😀", "'; --", "x".repeat(1_000), used, expired, replaced, disabled,
					outdated)
			.stream()
			.map((token) -> reset(token, "another secret of the tests").expect(400).response().body())
			.distinct()
			.toList();
		assertThat(answers).hasSize(1).first().asString().contains("bad-token");
		reset(latest, NEW).expect(204);
	}

	@Test
	void aWeakPasswordDoesNotUseTheLinkUp() {
		this.server.user("r-bert");
		String token = link("r-bert");
		for (String weak : List.of("", "short", "r-bert-r-bert-r-bert", "x".repeat(2_000))) {
			assertThat(reset(token, weak).expect(400).code()).isEqualTo("bad-request");
		}
		reset(token, NEW).expect(204);
	}

	@Test
	void ofFiftyAtOnceOneWins() throws Exception {
		this.server.user("r-carl");
		String token = link("r-carl");
		List<Integer> statuses = Parallel.run(50, (number) -> reset(token, NEW + number).status());
		assertThat(statuses).containsOnlyOnce(204).allMatch((status) -> List.of(204, 400, 503).contains(status));
		assertThat(login("r-carl", NEW + statuses.indexOf(204))).isEqualTo(200);
		Mockito.verify(this.signIns).endAll(eq("r-carl"), any());
	}

	@Test
	void aSuspendedUserMayResetAndADisabledOneGetsNoLink() {
		this.server.user("r-dora");
		olga().patch("/api/operator/users/r-dora", Map.of("state", "suspended")).expect(200);
		reset(link("r-dora"), NEW).expect(204);
		assertThat(login("r-dora", NEW)).isEqualTo(200);
		olga().patch("/api/operator/users/r-dora", Map.of("state", "disabled")).expect(200);
		assertThat(olga().post("/api/operator/users/r-dora/reset", Map.of()).expect(400).code())
			.isEqualTo("bad-request");
	}

	@Test
	void theSecretIsNotStored() {
		this.server.user("r-emil");
		String token = link("r-emil");
		assertThat(token).hasSize(22);
		assertThat(this.database.queryForList("SELECT * FROM password_reset").toString()).contains("r-emil")
			.doesNotContain(token);
	}

	private ChatApi olga() {
		return this.server.user("olga");
	}

	private String link(String user) {
		JsonNode link = olga().post("/api/operator/users/" + user + "/reset", Map.of()).expect(201).body();
		assertThat(link.path("path").asString()).isEqualTo("/account.html#reset=" + link.path("token").asString());
		return link.path("token").asString();
	}

	private ChatApi.Answer reset(String token, String password) {
		return this.server.anonymous().post(PATH, Map.of("token", token, "password", password));
	}

	private int login(String username, String password) {
		return this.server.anonymous()
			.post("/api/auth/login", Map.of("username", username, "password", password))
			.status();
	}

}
