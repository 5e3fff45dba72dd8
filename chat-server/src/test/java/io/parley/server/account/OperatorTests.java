package io.parley.server.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The rights of operators over accounts, which nobody else has. */
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.security.first-operator.username=olga",
		"chat.security.first-operator.password=" + ChatApi.PASSWORD })
class OperatorTests {

	private static final String USERS = "/api/operator/users";

	private static final List<String> LAST = List.of("{\"operator\":false}", "{\"state\":\"suspended\"}",
			"{\"state\":\"disabled\"}", "{\"state\":\"disabled\",\"operator\":true}");

	private final ChatServer server;

	private final JdbcTemplate database;

	OperatorTests(ChatServer server, JdbcTemplate database) {
		this.server = server;
		this.database = database;
	}

	private record Call(String method, String path, String body) {
	}

	private static final List<Call> CALLS = List.of(new Call("GET", USERS, ""), new Call("GET", USERS + "/olga", ""),
			new Call("HEAD", USERS, ""), new Call("POST", USERS, "{\"username\":\"new\"}"),
			new Call("PATCH", USERS + "/olga", "{\"state\":\"disabled\"}"),
			new Call("PATCH", USERS + "/anna", "{\"operator\":true}"), new Call("POST", USERS + "/olga/reset", "{}"),
			new Call("GET", USERS + "/olga/sign-ins", ""), new Call("DELETE", USERS + "/olga/sign-ins", ""),
			new Call("DELETE", USERS + "/olga/sign-ins/x", ""), new Call("GET", "/api/operator/rooms", ""),
			new Call("GET", "/api/operator/rooms/x", ""), new Call("GET", "/api/operator/rooms/x/members", ""),
			new Call("GET", "/api/operator/readers", ""), new Call("GET", "/api/operator/parked", ""),
			new Call("GET", "/api/operator/invites", ""), new Call("POST", "/api/operator/invites", "{}"),
			new Call("DELETE", "/api/operator/invites/x", ""), new Call("GET", "/api/operator/audit", ""),
			new Call("GET", "/api/operator/nothing", ""));

	@Test
	void everythingIsForOperatorsOnly() {
		ChatApi anna = this.server.user("anna");
		ChatApi former = promoted("former");
		change("former", Map.of("operator", false)).expect(200);
		ChatApi suspended = promoted("suspended");
		change("suspended", Map.of("state", "suspended")).expect(200);
		for (Call call : CALLS) {
			assertThat(send(this.server.anonymous(), call)).as("%s", call).isEqualTo(401);
			assertThat(send(anna, call)).as("%s", call).isEqualTo(403);
			assertThat(send(former, call)).as("%s", call).isEqualTo(403);
			assertThat(send(suspended, call)).as("%s", call).isEqualTo(403);
		}
		assertThat(anna.get(USERS).expect(403).code()).isEqualTo("not-allowed");
		assertThat(suspended.get(USERS).expect(403).code()).isEqualTo("suspended");
	}

	private static int send(ChatApi api, Call call) {
		return api.exchange(call.method(), call.path(), call.body()).status();
	}

	@Test
	void listsUsersInPagesAndFindsThem() {
		for (String name : List.of("list.a", "list.b", "list.c", "LIST.d", "list_e")) {
			this.server.user(name);
		}
		change("list.b", Map.of("state", "suspended")).expect(200);
		assertThat(names("?search=list.&limit=500")).containsExactly("LIST.d", "list.a", "list.b", "list.c");
		assertThat(names("?search=list_")).containsExactly("list_e");
		assertThat(names("?search=%25")).isEmpty();
		assertThat(names("?search=list!")).isEmpty();
		assertThat(names("?search=list&state=suspended")).containsExactly("list.b");
		assertThat(names("?search=list&state=active&after=list.a")).containsExactly("list.c", "list_e");
		List<String> paged = new ArrayList<>();
		String next = "";
		do {
			JsonNode page = olga().get(USERS + "?search=LIST&limit=2&after=" + next).expect(200).body();
			page.path("users").forEach((user) -> paged.add(user.path("username").asString()));
			next = page.path("next").asString("");
		}
		while (!next.isEmpty());
		assertThat(paged).containsExactly("LIST.d", "list.a", "list.b", "list.c", "list_e");
		JsonNode one = olga().get(USERS + "/list.b").expect(200).body();
		assertThat(one.path("state").asString()).isEqualTo("suspended");
		assertThat(one.path("operator").asBoolean()).isFalse();
		assertThat(one.toString()).doesNotContain("argon2", "password");
	}

	@Test
	void endsOneSignInOfAUser() {
		ChatApi phone = this.server.user("two-devices");
		ChatApi laptop = this.server.anonymous().login("two-devices");
		String path = USERS + "/two-devices/sign-ins";
		JsonNode devices = olga().get(path).expect(200).body();
		assertThat(devices).hasSize(2);
		assertThat(devices.get(0).path("id").asString()).isEqualTo(laptop.signIn());
		assertThat(devices.get(0).path("usedAt").asString()).isNotEmpty();
		assertThat(devices.toString()).doesNotContain(laptop.token(), "generation");
		olga().delete(path + "/" + laptop.signIn()).expect(204);
		assertThat(laptop.get("/api/me").expect(401).code()).isEqualTo("signed-out");
		phone.get("/api/me").expect(200);
		assertThat(olga().get(path).expect(200).body()).hasSize(1);
		// Ended already, unknown, and of somebody else.
		for (String id : List.of(laptop.signIn(), "none", olga().signIn())) {
			assertThat(olga().delete(path + "/" + id).expect(404).code()).isEqualTo("not-found");
		}
		olga().get("/api/me").expect(200);
		JsonNode entry = olga().get("/api/operator/audit?user=two-devices&action=authn_token_revoked")
			.expect(200)
			.body()
			.path("events")
			.path(0);
		assertThat(entry.path("actor").asString()).isEqualTo("olga");
		assertThat(entry.path("detail").path("signIns").asInt()).isOne();
	}

	@Test
	void badRequestsSayWhatIsWrong() {
		this.server.user("bad");
		for (String query : List.of("?limit=0", "?limit=501", "?limit=-1", "?limit=x", "?state=gone", "?state=")) {
			assertThat(olga().get(USERS + query).expect(400).code()).isEqualTo("bad-request");
		}
		for (String body : List.of("{}", "{\"state\":\"gone\"}", "{\"state\":1}", "{\"operator\":\"maybe\"}", "[]", "",
				"{\"state\":null}")) {
			assertThat(olga().exchange("PATCH", USERS + "/bad", body).expect(400).code()).isEqualTo("bad-request");
		}
		assertThat(change("nobody-here", Map.of("state", "disabled")).expect(404).code()).isEqualTo("not-found");
		assertThat(olga().post(USERS + "/nobody-here/reset", Map.of()).expect(404).code()).isEqualTo("not-found");
		assertThat(olga().delete(USERS + "/nobody-here/sign-ins").expect(404).code()).isEqualTo("not-found");
		assertThat(olga().get(USERS + "/nobody-here").expect(404).code()).isEqualTo("not-found");
		assertThat(olga().get(USERS + "/nobody-here/sign-ins").expect(404).code()).isEqualTo("not-found");
		assertThat(olga().delete(USERS + "/nobody-here/sign-ins/x").expect(404).code()).isEqualTo("not-found");
	}

	@Test
	void theLastOperatorStays() {
		onlyOlga();
		for (String body : LAST) {
			assertThat(olga().exchange("PATCH", USERS + "/olga", body).expect(409).code()).isEqualTo("last-operator");
		}
		// A suspended operator does not count.
		promoted("resting");
		change("resting", Map.of("state", "suspended")).expect(200);
		assertThat(change("olga", Map.of("operator", false)).expect(409).code()).isEqualTo("last-operator");
		change("resting", Map.of("state", "active")).expect(200);
		ChatApi resting = this.server.user("resting");
		resting.patch(USERS + "/olga", Map.of("operator", false)).expect(200);
		assertThat(olga().get(USERS).expect(403).code()).isEqualTo("not-allowed");
		resting.patch(USERS + "/olga", Map.of("operator", true)).expect(200);
		change("resting", Map.of("operator", false)).expect(200);
	}

	@Test
	void operatorsWhoDemoteEachOtherAtOnceLeaveOne() throws Exception {
		ChatApi petra = promoted("petra");
		for (int round = 0; round < 5; round++) {
			onlyOlga();
			change("petra", Map.of("operator", true)).expect(200);
			List<Integer> statuses = Parallel.run(2,
					(number) -> (number == 0) ? petra.patch(USERS + "/olga", Map.of("operator", false)).status()
							: change("petra", Map.of("state", "disabled")).status());
			assertThat(statuses).containsOnlyOnce(200);
			assertThat(this.database.queryForObject(
					"SELECT COUNT(*) FROM account WHERE is_operator = TRUE AND state = 'active'", Integer.class))
				.isEqualTo(1);
			restore(petra);
		}
	}

	/** Olga and Petra are active operators again, whoever won. */
	private void restore(ChatApi petra) {
		if (olga().get(USERS).status() == 200) {
			change("petra", Map.of("state", "active", "operator", true)).expect(200);
		}
		else {
			petra.patch(USERS + "/olga", Map.of("operator", true)).expect(200);
		}
	}

	private void onlyOlga() {
		olga().get(USERS + "?limit=500").expect(200).body().path("users").forEach((user) -> {
			String name = user.path("username").asString();
			if (user.path("operator").asBoolean() && !name.equals("olga")) {
				change(name, Map.of("operator", false)).expect(200);
			}
		});
	}

	/**
	 * A path with such a segment never reaches the server, so nobody could suspend the
	 * user or remove them from a room.
	 */
	@Test
	void noNameIsAPathSegmentWithAMeaningOfItsOwn() {
		for (String name : List.of(".", "..")) {
			assertThat(this.server.anonymous()
				.post("/api/auth/register", Map.of("username", name, "password", ChatApi.PASSWORD))
				.expect(400)
				.code()).isEqualTo("bad-request");
			assertThat(
					this.server.user("olga").post("/api/operator/users", Map.of("username", name)).expect(400).code())
				.isEqualTo("bad-request");
		}
		this.server.user("...");
		this.server.user("olga").patch("/api/operator/users/...", Map.of("state", "suspended")).expect(200);
	}

	@Test
	void aNewOperatorActsAtOnceWithTheSameToken() {
		ChatApi rita = this.server.user("rita");
		assertThat(rita.get(USERS).expect(403).code()).isEqualTo("not-allowed");
		change("rita", Map.of("operator", true)).expect(200);
		rita.get(USERS).expect(200);
		change("rita", Map.of("operator", false)).expect(200);
		assertThat(rita.get(USERS).expect(403).code()).isEqualTo("not-allowed");
	}

	private ChatApi promoted(String name) {
		ChatApi api = this.server.user(name);
		change(name, Map.of("operator", true)).expect(200);
		return api;
	}

	private ChatApi olga() {
		return this.server.user("olga");
	}

	private ChatApi.Answer change(String user, Map<String, ?> change) {
		return olga().patch(USERS + "/" + user, change);
	}

	private List<String> names(String query) {
		List<String> names = new ArrayList<>();
		olga().get(USERS + query)
			.expect(200)
			.body()
			.path("users")
			.forEach((user) -> names.add(user.path("username").asString()));
		return names;
	}

}
