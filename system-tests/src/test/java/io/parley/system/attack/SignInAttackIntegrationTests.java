package io.parley.system.attack;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Only an account and its password let a user in, whatever is tried. */
@Tag("exhaustive")
class SignInAttackIntegrationTests {

	/** Far more attempts than one address may make. */
	private static final int WRONG_SIGN_INS = Boolean.getBoolean("parley.test.full-size") ? 1_000 : 300;

	@RegisterExtension
	static final AttackedServer server = new AttackedServer("--chat.limits.exempt-addresses=none");

	/**
	 * Sends one body per case: for an unknown name, a user and an operator, with wrong
	 * passwords.
	 */
	@Test
	void noPasswordButTheRightOneSignsIn() {
		server.token("mallory");
		String right = "\"" + AttackedServer.password("anna") + "\"";
		List<String> passwords = List.of("\"nobody\"", "\"\"", "\" \"", "\"demo\"", "\"a wrong password\"", "null",
				"{}", "[]", "0", "true", "1e400", "{\"$ne\":null}", "{\"$gt\":\"\"}", "[\"nobody\"]", "[" + right + "]",
				"{\"password\":" + right + "}", "\"" + AttackedServer.password("mallory") + "\"",
				right.toUpperCase(java.util.Locale.ROOT), "\"" + "x".repeat(60_000) + "\"", "\"\\u0000\"",
				"\"\\ud800\"");
		for (String user : List.of("ghost", "anna")) {
			for (String password : passwords) {
				refused("{\"username\":\"" + user + "\",\"password\":" + password + "}");
			}
			refused("{\"username\":\"" + user + "\"}");
		}
		for (String password : List.of("\"nobody\"", "\"\"", "null", "{\"$ne\":null}", "[\"demo\"]")) {
			refused("{\"username\":\"alice\",\"password\":" + password + "}");
		}
		for (String name : List.of("null", "{}", "{\"$gt\":\"\"}", "[\"anna\"]", "{\"username\":\"anna\"}", "0", "true",
				"\"ANNA\"", "\"anna \"", "\"anna\\u0000\"", "\"anna'--\"", "\"*\"", "\"\\ud83d\"")) {
			refused("{\"username\":" + name + ",\"password\":" + right + "}");
		}
		for (String body : List.of("", "null", "[]", "\"anna\"", "{", "{\"username\":\"anna\"}{}")) {
			refused(body);
		}
	}

	private static void refused(String body) {
		RawHttp.Answer answer = server.call(server.stranger(), "POST", "/api/auth/login", null, body);
		assertThat(answer.status()).as("%s: %s", body, answer).isIn(400, 401, 413, 429);
		assertThat(answer.body()).as(body).doesNotContain("Token\"", "Exception", "io.parley");
	}

	@Test
	void noTokenButARightOneOpensAnything() throws Exception {
		ForgedTokens forged = new ForgedTokens(server.directory());
		RawStomp live = server.session("mallory");
		assertThat(rest(forged.resigned(server.token("mallory")))).isEqualTo(200);
		JsonNode anna = signIn("anna");
		Map<String, String> tokens = forged.of("anna", anna.path("accessToken").asString());
		tokens.put("a refresh token", anna.path("refreshToken").asString());
		tokens.put("a mark of a device", anna.path("device").asString());
		tokens.forEach((fault, token) -> {
			assertThat(rest(token)).as(fault).isEqualTo(401);
			for (String header : List.of("Authorization:Bearer " + token, "passcode:" + token)) {
				try (RawStomp late = server.socket(server.stranger()).readOn()) {
					late.frame("CONNECT", "", "accept-version:1.2", "host:x", "login:anna", header);
					assertThat(late.await("an answer to " + fault, (frame) -> true)).as(fault)
						.startsWith("ERROR")
						.contains("unauthorized");
					late.awaitClosed();
				}
			}
			live.frame("SEND", "{\"accessToken\":\"" + token + "\"}", "destination:/app/token", "receipt:" + fault);
			assertThat(live.awaitContaining("\"receipt\":\"" + fault + "\"")).as(fault).contains("unauthorized");
		});
		assertThat(live.isClosed()).isFalse();
		assertThat(live.frames()).noneMatch((frame) -> frame.startsWith("RECEIPT") && !frame.contains("events"));
	}

	private static JsonNode signIn(String user) {
		return AttackedServer.json(server.call(server.stranger(), "POST", "/api/auth/login", null,
				"{\"username\":\"" + user + "\",\"password\":\"" + AttackedServer.password(user) + "\"}"));
	}

	private static int rest(String token) {
		return server.call(server.stranger(), "GET", "/api/rooms", token, null).status();
	}

	/** The token of another user is valid, but not for this session. */
	@Test
	void aSessionStaysThatOfItsUser() {
		try (RawStomp live = server.session("mallory")) {
			live.frame("SEND", "{\"accessToken\":\"" + server.token("anna") + "\"}", "destination:/app/token",
					"receipt:anna");
			assertThat(live.awaitContaining("\"receipt\":\"anna\"")).contains("\"code\"");
			live.frame("SUBSCRIBE", "", "id:s", "destination:/topic/rooms." + server.honestRoom(), "receipt:s");
			assertThat(live.awaitContaining("\"receipt\":\"s\"")).contains("not-a-member");
			for (String body : List.of("null", "{}", "[]", "{\"accessToken\":null}", "{\"accessToken\":{}}",
					"{\"accessToken\":[\"" + server.token("mallory") + "\"]}", "{\"accessToken\":0}", "")) {
				live.frame("SEND", body, "destination:/app/token", "receipt:body-" + body.hashCode());
				assertThat(live.awaitContaining("\"receipt\":\"body-" + body.hashCode() + "\"")).as(body)
					.contains("\"code\"")
					.doesNotContain("internal");
			}
		}
	}

	@Test
	void noRefreshTokenButARightOneGivesTokens() throws Exception {
		ForgedTokens forged = new ForgedTokens(server.directory());
		JsonNode anna = signIn("anna");
		String right = anna.path("refreshToken").asString();
		assertThat(refresh("\"" + forged.resigned(right) + "\"").status()).isEqualTo(200);
		Map<String, String> tokens = forged.of("anna", right);
		tokens.put("an access token", server.token("anna"));
		tokens.put("a mark of a device", anna.path("device").asString());
		tokens.forEach((fault, token) -> assertThat(refresh("\"" + token + "\"").status()).as(fault).isEqualTo(401));
		for (String value : List.of("null", "{}", "[]", "\"\"", "0", "true", "{\"$ne\":null}", "[\"" + right + "\"]",
				"\"" + "x".repeat(60_000) + "\"")) {
			RawHttp.Answer answer = refresh(value);
			assertThat(answer.status()).as("%s: %s", value, answer).isIn(400, 401);
			assertThat(answer.body()).doesNotContain("accessToken\"");
		}
	}

	private static RawHttp.Answer refresh(String value) {
		return server.call(server.stranger(), "POST", "/api/auth/refresh", null, "{\"refreshToken\":" + value + "}");
	}

	/** Tokens are accepted in the header only, because URLs end up in logs. */
	@Test
	void aTokenInAnotherPlaceOpensNothing() {
		String token = server.token("mallory");
		for (String path : List.of("/api/rooms?access_token=" + token, "/api/rooms?token=" + token)) {
			assertThat(server.call(server.stranger(), "GET", path, null, null).status()).isEqualTo(401);
		}
		for (String header : List.of("Cookie: access_token=" + token, "X-User: alice",
				"Authorization: Basic YWxpY2U6ZGVtbw==", "X-Forwarded-User: alice", "Authorization: bearer")) {
			assertThat(server.call(server.stranger(), "GET", "/api/rooms", null, null, header).status()).as(header)
				.isEqualTo(401);
		}
	}

	@Test
	void wrongSignInsOfOneAddressHoldUpNobodyElse() throws Exception {
		server.token("owner");
		String address = server.stranger();
		AtomicInteger tried = new AtomicInteger();
		AtomicBoolean over = new AtomicBoolean();
		try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 50; i++) {
				attackers.submit(() -> {
					while (!over.get()) {
						int number = tried.incrementAndGet();
						assertThat(login(address, (number % 2 == 0) ? "owner" : "ghost-" + number, "a wrong password"))
							.isIn(401, 429, 503);
					}
				});
			}
			try {
				for (int i = 0; i < 20; i++) {
					assertThat(login(server.stranger(), "owner", AttackedServer.password("owner"))).isEqualTo(200);
				}
				Awaitility.await().until(() -> tried.get() >= WRONG_SIGN_INS);
			}
			finally {
				over.set(true);
			}
		}
		assertThat(login(address, "owner", AttackedServer.password("owner"))).isEqualTo(429);
	}

	private static int login(String from, String user, String password) {
		return server
			.call(from, "POST", "/api/auth/login", null,
					"{\"username\":\"" + user + "\",\"password\":\"" + password + "\"}")
			.status();
	}

}
