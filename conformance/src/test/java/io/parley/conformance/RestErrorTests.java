package io.parley.conformance;

import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests RFC 9457 problem details with an error code. */
@UnlimitedServer
class RestErrorTests {

	private final ChatServer server;

	RestErrorTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@CsvSource({ "GET,/api/rooms", "POST,/api/rooms", "GET,/api/rooms/x", "GET,/api/rooms/x/messages",
			"PUT,/api/rooms/x/read", "POST,/api/devices", "GET,/api/devices", "DELETE,/api/devices/x",
			"GET,/api/me/notifications", "PUT,/api/me/notifications", "GET,/api/rooms/x/notifications",
			"PUT,/api/rooms/x/notifications", "GET,/api/push/log", "GET,/api/push/log.txt", "GET,/api/none",
			"GET,/api/rooms/x/members", "PUT,/api/rooms/x/members/x", "GET,/api/rooms/x/bans",
			"PUT,/api/rooms/x/bans/x", "DELETE,/api/rooms/x/bans/x", "PUT,/api/rooms/x/mutes/x",
			"DELETE,/api/rooms/x/mutes/x", "POST,/api/rooms/x/invites", "GET,/api/rooms/x/invites",
			"DELETE,/api/rooms/x/invites/x", "POST,/api/invites/x" })
	void callsWithoutATokenAreUnauthorized(String method, String path) {
		ChatApi.Answer answer = this.server.anonymous().exchange(method, path, "");
		assertProblem(answer, 401, "unauthorized");
		assertThat(answer.response().headers().firstValue("WWW-Authenticate").orElse("")).startsWith("Bearer");
	}

	@Test
	void badTokensAreUnauthorized() {
		assertProblem(new ChatApi(this.server, "x", "nonsense").get("/api/rooms"), 401, "unauthorized");
		assertProblem(new ChatApi(this.server, "x", this.server.user("anna").refreshToken()).get("/api/rooms"), 401,
				"unauthorized");
	}

	@Test
	void aWrongPasswordAndAnUnknownUserAreIndistinguishable() {
		this.server.user("anna");
		ChatApi.Answer wrong = login("anna", "wrong-one");
		ChatApi.Answer unknown = login("nobody-at-all", "wrong-one");
		assertProblem(wrong, 401, "unauthorized");
		assertThat(unknown.body()).isEqualTo(wrong.body());
	}

	private ChatApi.Answer login(String username, String password) {
		return this.server.anonymous().post("/api/auth/login", Map.of("username", username, "password", password));
	}

	@Test
	void aNameThatIsTakenIsAConflict() {
		this.server.user("anna");
		assertProblem(
				this.server.anonymous()
					.post("/api/auth/register", Map.of("username", "anna", "password", ChatApi.PASSWORD)),
				409, "username-taken");
	}

	@ParameterizedTest
	@CsvSource({ "'',a secret of the tests", "a b,a secret of the tests", "a/b,a secret of the tests",
			"anna:x,a secret of the tests", "<b>,a secret of the tests",
			"abcdefghijklmnopqrstuvwxyz0123456,a secret of the tests", "dora,abc", "dora,''", "dora,1234",
			"dora,fourteen chars", "dora,qwertyuiopasdfg", "dora,dora dora dora 123", "dora,password123456789" })
	void badCredentialsAreNotRegistered(String username, String password) {
		assertProblem(
				this.server.anonymous().post("/api/auth/register", Map.of("username", username, "password", password)),
				400, "bad-request");
	}

	@Test
	void accessTokensAreNotAcceptedAsRefreshTokens() {
		assertProblem(
				this.server.anonymous()
					.post("/api/auth/refresh", Map.of("refreshToken", this.server.user("anna").token())),
				401, "unauthorized");
	}

	@Test
	void unknownPathsAreNotFound() {
		ChatApi anna = this.server.user("anna");
		assertProblem(anna.get("/api/none"), 404, "not-found");
		assertProblem(anna.join("none", "anna"), 404, "not-found");
		assertProblem(anna.join(this.server.room("anna"), "nobody-at-all"), 404, "not-found");
		assertProblem(anna.post("/api/rooms", Map.of("kind", "direct", "members", List.of("nobody-at-all"))), 404,
				"not-found");
	}

	@Test
	void nonMembersAreForbidden() {
		String room = this.server.room("anna");
		ChatApi bert = this.server.user("bert");
		assertProblem(bert.get("/api/rooms/" + room), 403, "not-a-member");
		assertProblem(bert.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c", "text", "t")), 403,
				"not-a-member");
		assertProblem(bert.put("/api/rooms/" + room + "/read", Map.of("position", 0)), 403, "not-a-member");
		assertProblem(bert.join(room, "anna"), 403, "not-a-member");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "{}", "no json", "[]", "{\"kind\":\"group\"}", "{\"kind\":\"none\",\"name\":\"x\"}",
					"{\"kind\":\"group\",\"name\":\" \"}", "{\"kind\":\"group\",\"name\":\"x\",\"capacity\":0}",
					"{\"kind\":\"direct\"}", "{\"kind\":\"direct\",\"members\":[\"anna\"]}",
					"{\"kind\":\"group\",\"name\":\"x\",\"members\":[null]}" })
	void badRoomsAreNotOpened(String body) {
		assertProblem(this.server.user("anna").exchange("POST", "/api/rooms", body), 400, "bad-request");
	}

	@Test
	void invalidUsernamesAreNotLookedUp() {
		String name = "x".repeat(65);
		ChatApi anna = this.server.user("anna");
		assertProblem(anna.post("/api/rooms", Map.of("name", "x", "kind", "group", "members", List.of(name))), 400,
				"bad-request");
		assertProblem(anna.join(this.server.room("anna"), name), 400, "bad-request");
	}

	@Test
	void moreMembersThanTheCapacityAreAConflict() {
		this.server.user("bert");
		assertProblem(this.server.user("anna")
			.post("/api/rooms", Map.of("name", "x", "kind", "group", "capacity", 1, "members", List.of("bert"))), 409,
				"room-full");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{}", "no json", "{\"clientId\":\"c\"}",
			"{\"clientId\":\"c\",\"text\":\"t\",\"sender\":\"bert\"}" })
	void badMessagesAreNotPosted(String body) {
		String room = this.server.room("anna");
		assertProblem(this.server.user("anna").exchange("POST", "/api/rooms/" + room + "/messages", body), 400,
				"bad-message");
	}

	@Test
	void aWrongMethodIsNotAllowed() {
		ChatApi.Answer answer = this.server.user("anna").exchange("PATCH", "/api/rooms", "{}");
		assertProblem(answer, 405, "bad-request");
	}

	private static void assertProblem(ChatApi.Answer answer, int status, String code) {
		answer.expect(status);
		assertThat(answer.code()).isEqualTo(code);
		assertThat(answer.body().path("status").asInt()).isEqualTo(status);
		assertThat(answer.body().path("detail").asString()).isNotBlank()
			.doesNotContain("Exception", "io.parley", "springframework");
		assertThat(answer.response().headers().firstValue("Content-Type").orElse(""))
			.startsWith("application/problem+json");
	}

}
