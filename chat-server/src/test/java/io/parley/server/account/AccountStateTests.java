package io.parley.server.account;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.server.session.SessionRegistry;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.account.AccountChanges;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.AccountState;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The rights of suspended and disabled users. */
@UnlimitedServer
class AccountStateTests {

	private static final int SIGNED_OUT = 4403;

	private final ChatServer server;

	private final AccountRepository accounts;

	private final AccountChanges changes;

	private final SessionRegistry sessions;

	AccountStateTests(ChatServer server, AccountRepository accounts, AccountChanges changes, SessionRegistry sessions) {
		this.server = server;
		this.accounts = accounts;
		this.changes = changes;
		this.sessions = sessions;
	}

	@Test
	void aSuspendedUserReadsLeavesAndSignsOutButDoesNotWrite() {
		String room = this.server.room("sasha", "tom");
		ChatApi sasha = this.server.user("sasha");
		sasha.post("/api/devices", Map.of("token", "phone-of-sasha", "platform", "android")).expect(201);
		change("sasha", "suspended");
		ChatApi again = this.server.anonymous().login("sasha");
		again.refresh();
		for (String path : List.of("/api/rooms", "/api/rooms/" + room, "/api/rooms/" + room + "/messages",
				"/api/devices", "/api/blocks", "/api/me/notifications")) {
			again.get(path).expect(200);
		}
		String member = "/api/rooms/" + room + "/members";
		refused(again.post("/api/rooms/" + room + "/messages", Map.of("clientId", "1", "text", "no")));
		refused(again.post("/api/rooms", Map.of("name", "no", "kind", "group")));
		refused(again.post(member, Map.of("username", "tom")));
		refused(again.delete(member + "/tom"));
		refused(again.put("/api/rooms/" + room + "/read", Map.of("position", 1)));
		refused(again.put("/api/me/notifications", Map.of("level", "all")));
		refused(again.put("/api/rooms/" + room + "/notifications", Map.of("level", "all")));
		refused(again.put("/api/blocks/tom", Map.of()));
		refused(again.delete("/api/blocks/tom"));
		refused(again.post("/api/devices", Map.of("token", "another", "platform", "android")));
		refused(again.get("/api/operator/users"));
		again.delete("/api/devices/phone-of-sasha").expect(204);
		again.delete(member + "/sasha").expect(204);
		change("sasha", "active");
		again.post("/api/rooms", Map.of("name", "yes", "kind", "group")).expect(201);
	}

	@Test
	void nobodyWithoutATokenRemovesAUserWithTheNameOfAnonymousRequests() {
		String room = this.server.room("anonymousUser", "tom");
		assertThat(this.server.anonymous().delete("/api/rooms/" + room + "/members/anonymousUser").expect(401).code())
			.isEqualTo("unauthorized");
		this.server.user("anonymousUser").get("/api/rooms/" + room).expect(200);
	}

	private static void refused(ChatApi.Answer answer) {
		assertThat(answer.expect(403).code()).isEqualTo("suspended");
	}

	@Test
	void aSuspendedSessionReceivesButDoesNotSend() {
		String room = this.server.room("uta", "vera");
		try (StompConnection uta = this.server.connectWithEvents("uta")) {
			change("uta", "suspended");
			uta.follow("room", room);
			JsonNode error = uta.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"c1\",\"text\":\"no\"}");
			assertThat(error.path("code").asString()).isEqualTo("suspended");
			assertThat(error.path("clientId").asString()).isEqualTo("c1");
			assertThat(uta.expectError("/app/rooms." + room + ".typing", "{}").path("code").asString())
				.isEqualTo("suspended");
			assertThat(uta.expectError("/app/rooms." + room + ".read", "{\"position\":1}").path("code").asString())
				.isEqualTo("suspended");
			this.server.user("vera").say(room, "v1", "still here?");
			uta.expectMessage("room", "v1");
			change("uta", "active");
			uta.expectReceipt(uta.say(room, "c2", "yes"));
		}
	}

	@Test
	void aDisabledUserIsOutAtOnceAndTheNameStaysTaken() {
		ChatApi walter = this.server.user("walter");
		walter.post("/api/devices", Map.of("token", "phone-of-walter", "platform", "android")).expect(201);
		try (StompConnection phone = this.server.connectWithEvents("walter");
				StompConnection laptop = this.server.connectWithEvents("walter")) {
			change("walter", "disabled");
			assertThat(phone.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(laptop.expectClosed()).isEqualTo(SIGNED_OUT);
		}
		assertThat(walter.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
		assertThat(walter.post("/api/auth/refresh", Map.of("refreshToken", walter.refreshToken())).expect(401).code())
			.isEqualTo("signed-out");
		try (StompConnection late = StompConnection.open(this.server)) {
			late.send("CONNECT", Map.of("accept-version", "1.2", "passcode", walter.token()), "");
			assertThat(late.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("signed-out");
		}
		assertThat(this.server.anonymous()
			.post("/api/auth/register", Map.of("username", "walter", "password", ChatApi.PASSWORD))
			.expect(409)
			.code()).isEqualTo("username-taken");
		change("walter", "active");
		ChatApi back = this.server.anonymous().login("walter");
		assertThat(back.get("/api/devices").expect(200).body()).isEmpty();
	}

	@Test
	void unknownWrongAndDisabledAnswerAlike() {
		this.server.user("xenia");
		this.server.user("yann");
		change("yann", "disabled");
		List<String> answers = List
			.of(Map.of("username", "xenia-of-nowhere", "password", ChatApi.PASSWORD),
					Map.of("username", "xenia", "password", "a wrong password"),
					Map.of("username", "yann", "password", ChatApi.PASSWORD),
					Map.of("username", "yann", "password", "a wrong password"))
			.stream()
			.map((credentials) -> this.server.anonymous()
				.post("/api/auth/login", credentials)
				.expect(401)
				.response()
				.body())
			.distinct()
			.toList();
		assertThat(answers).hasSize(1);
	}

	@Test
	void whatAnotherServerDisablesIsOutHereToo() {
		ChatApi zoe = this.server.user("zoe");
		try (StompConnection session = this.server.connectWithEvents("zoe")) {
			this.accounts.setStatus("zoe", AccountState.DISABLED, false, Instant.now());
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
		}
		assertThat(zoe.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
		this.accounts.setStatus("zoe", AccountState.SUSPENDED, false, Instant.now());
		await().untilAsserted(() -> zoe.get("/api/rooms").expect(200));
		refused(zoe.post("/api/rooms", Map.of("name", "no", "kind", "group")));
	}

	@Test
	void aServerThatStartsKnowsTheStates() {
		this.server.user("quentin");
		change("quentin", "disabled");
		AccountStateCache states = new AccountStateCache(this.changes, this.sessions);
		assertThat(states.of("quentin")).isEqualTo(AccountState.ACTIVE);
		states.load();
		assertThat(states.of("quentin")).isEqualTo(AccountState.DISABLED);
		assertThat(states.isOperator("olga")).isTrue();
		assertThat(states.isOperator("quentin")).isFalse();
	}

	/**
	 * A server whose clock is wrong has changed the first one; a restore of the database
	 * has changed the second one.
	 */
	@Test
	void aServerHearsOfAChangeWithAnyTime() {
		this.server.user("rita");
		this.server.user("stan");
		change("stan", "suspended");
		AccountStateCache states = new AccountStateCache(this.changes, this.sessions);
		states.load();
		this.accounts.setStatus("rita", AccountState.SUSPENDED, false, Instant.EPOCH);
		this.accounts.setStatus("stan", AccountState.ACTIVE, false, Instant.EPOCH);
		states.refresh();
		assertThat(states.of("rita")).isEqualTo(AccountState.ACTIVE);
		states.reload();
		assertThat(states.of("rita")).isEqualTo(AccountState.SUSPENDED);
		assertThat(states.of("stan")).isEqualTo(AccountState.ACTIVE);
	}

	private void change(String user, String state) {
		JsonNode changed = this.server.user("olga")
			.patch("/api/operator/users/" + user, Map.of("state", state))
			.expect(200)
			.body();
		assertThat(changed.path("state").asString()).isEqualTo(state);
	}

}
