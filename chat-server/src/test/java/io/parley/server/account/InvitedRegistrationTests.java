package io.parley.server.account;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** A server on which people register with an invitation link. */
@ProtocolTest(properties = { "chat.security.registration=invite", "chat.limits.sign-in-failures=0",
		"chat.security.first-operator.username=olga", "chat.security.first-operator.password=" + ChatApi.PASSWORD })
class InvitedRegistrationTests {

	private static final String INVITES = "/api/operator/invites";

	private final ChatServer server;

	private final JdbcTemplate database;

	InvitedRegistrationTests(ChatServer server, JdbcTemplate database) {
		this.server = server;
		this.database = database;
	}

	@Test
	void nobodyRegistersWithoutAnInvitation() {
		assertThat(register("without", null).expect(403).code()).isEqualTo("registration-closed");
	}

	@Test
	void anInvitationRegistersAsManyAccountsAsItSays() {
		String token = invite(Map.of("uses", 2)).path("token").asString();
		register("first", token).expect(201);
		register("second", token).expect(201);
		assertThat(register("third", token).expect(400).code()).isEqualTo("bad-token");
		this.server.anonymous().login("second").get("/api/rooms").expect(200);
	}

	@Test
	void wrongUsedExpiredAndRevokedInvitationsAnswerAlike() {
		String used = invite(Map.of()).path("token").asString();
		register("user-of-it", used).expect(201);
		JsonNode expired = invite(Map.of());
		this.database.update("UPDATE account_invite SET expires_at = '2026-01-01 00:00:00' WHERE id = ?",
				expired.path("id").asString());
		JsonNode revoked = invite(Map.of());
		olga().delete(INVITES + "/" + revoked.path("id").asString()).expect(204);
		assertThat(olga().delete(INVITES + "/" + revoked.path("id").asString()).expect(404).code())
			.isEqualTo("not-found");
		List<String> answers = List
			.of("AAAAAAAAAAAAAAAAAAAAAA", "", used, expired.path("token").asString(), revoked.path("token").asString())
			.stream()
			.map((token) -> register("late", token).expect(400).response().body())
			.distinct()
			.toList();
		assertThat(answers).hasSize(1).first().asString().contains("bad-token");
	}

	@Test
	void nobodyWithoutAnInvitationLearnsWhichNamesAreTaken() {
		assertThat(register("olga", "AAAAAAAAAAAAAAAAAAAAAA").expect(400).code()).isEqualTo("bad-token");
	}

	@Test
	void aTakenNameOrAWeakPasswordUsesNothingUp() {
		String token = invite(Map.of()).path("token").asString();
		assertThat(register("olga", token).expect(409).code()).isEqualTo("username-taken");
		assertThat(this.server.anonymous()
			.post("/api/auth/register", Map.of("username", "weak", "password", "1234", "invite", token))
			.expect(400)
			.code()).isEqualTo("bad-request");
		register("strong", token).expect(201);
	}

	@Test
	void ofFiftyAtOnceOneTakesTheLastUse() throws Exception {
		String token = invite(Map.of()).path("token").asString();
		List<Integer> statuses = Parallel.run(50, (number) -> register("rush-" + number, token).status());
		assertThat(statuses).containsOnlyOnce(201).allMatch((status) -> List.of(201, 400, 503).contains(status));
		assertThat(this.database.queryForObject("SELECT COUNT(*) FROM account WHERE username LIKE 'rush-%'",
				Integer.class))
			.isEqualTo(1);
	}

	@Test
	void theSecretIsShownOnceAndNotStored() {
		JsonNode made = invite(Map.of("uses", 3, "expiresIn", 60));
		String token = made.path("token").asString();
		assertThat(token).hasSize(22);
		assertThat(made.path("path").asString()).isEqualTo("/account.html#invite=" + token);
		ChatApi.Answer listed = olga().get(INVITES).expect(200);
		assertThat(listed.response().body()).contains(made.path("id").asString()).doesNotContain(token);
		assertThat(this.database.queryForList("SELECT * FROM account_invite").toString()).doesNotContain(token);
	}

	@Test
	void badNumbersAreRefused() {
		for (Map<String, Object> body : List.<Map<String, Object>>of(Map.of("uses", 0), Map.of("uses", 1_001),
				Map.of("uses", -1), Map.of("expiresIn", 0), Map.of("expiresIn", 2_592_001), Map.of("uses", "many"))) {
			assertThat(olga().post(INVITES, body).expect(400).code()).isEqualTo("bad-request");
		}
	}

	private ChatApi olga() {
		return this.server.anonymous().login("olga");
	}

	private JsonNode invite(Map<String, ?> body) {
		return olga().post(INVITES, body).expect(201).body();
	}

	private ChatApi.Answer register(String name, String invite) {
		Map<String, String> account = new HashMap<>(Map.of("username", name, "password", ChatApi.PASSWORD));
		if (invite != null) {
			account.put("invite", invite);
		}
		return this.server.anonymous().post("/api/auth/register", account);
	}

}
