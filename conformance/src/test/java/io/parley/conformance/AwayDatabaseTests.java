package io.parley.conformance;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.DatabaseOutage;
import io.parley.server.testing.StillDatabase;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests a database that keeps its connections but does not respond. */
@UnlimitedServer
@Import(StillDatabase.class)
@TestPropertySource(properties = "chat.database.timeout=2s")
class AwayDatabaseTests {

	private final ChatServer server;

	private final StillDatabase database;

	private final JdbcTemplate jdbc;

	AwayDatabaseTests(ChatServer server, StillDatabase database, JdbcTemplate jdbc) {
		this.server = server;
		this.database = database;
		this.jdbc = jdbc;
	}

	/** The server may notice only later that the database responds again. */
	@AfterEach
	void resume() {
		this.database.resume();
		await().ignoreExceptions()
			.untilAsserted(() -> this.server.user("observer").refresh().get("/api/rooms").expect(200));
	}

	/** Lasts longer than the server's caches. */
	@Test
	@Tag("slow")
	void liveMessagesGoOn() throws Exception {
		new DatabaseOutage(this.server, this.database).assertMessagesGoOn(40, 5);
	}

	@Test
	void slowModeGoesOnWithTheMessagesOfThisServer() {
		String room = this.server.room("elsa", "fred", "gina");
		ChatApi fred = this.server.user("fred");
		ChatApi gina = this.server.user("gina");
		this.server.user("elsa").put("/api/rooms/" + room + "/slow-mode", Map.of("seconds", 600)).expect(204);
		fred.say(room, "f1", "text");
		gina.get("/api/rooms/" + room).expect(200);
		this.database.stall();
		String messages = "/api/rooms/" + room + "/messages";
		assertThat(fred.post(messages, Map.of("clientId", "f2", "text", "too early")).expect(429).code())
			.isEqualTo("slow-mode");
		fred.say(room, "f1", "text");
		gina.say(room, "g1", "text");
		gina.say(room, "g1", "text");
		assertThat(gina.post(messages, Map.of("clientId", "g2", "text", "too early")).expect(429).code())
			.isEqualTo("slow-mode");
	}

	@Test
	void aSessionOutlivesItsTokenByARefresh() {
		ChatApi carla = this.server.user("carla");
		try (StompConnection session = this.server.connectWithEvents("carla")) {
			this.database.stall();
			DatabaseOutage.refresh(session, carla);
			assertThat(session.isClosed()).isFalse();
		}
	}

	@Test
	void aSignInContinuesDuringAndAfterTheOutage() {
		ChatApi dirk = this.server.user("dirk");
		dirk.get("/api/rooms").expect(200);
		this.database.stall();
		for (int i = 0; i < 3; i++) {
			dirk.refresh();
		}
		assertThat(dirk.refresh().get("/api/rooms").code()).isEqualTo("store-unavailable");
		this.database.resume();
		await().until(() -> dirk.refresh().get("/api/rooms").status() == 200);
		dirk.refresh().get("/api/me/sign-ins").expect(200);
	}

	/** No refresh after the outage has stored the generation before. */
	@Test
	void aTokenSpentDuringTheOutageEndsTheSignInAfterwards() {
		ChatApi emil = this.server.user("emil");
		String spent = emil.refreshToken();
		emil.get("/api/rooms").expect(200);
		this.database.stall();
		for (int i = 0; i < 3; i++) {
			emil.refresh();
		}
		assertThat(emil.refreshWith(spent).expect(503).code()).isEqualTo("store-unavailable");
		this.database.resume();
		ChatApi.Answer reuse = await().until(() -> emil.refreshWith(spent), (answer) -> answer.status() != 503);
		assertThat(reuse.expect(401).code()).isEqualTo("signed-out");
		assertThat(emil.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void operatorsAreToldThatChangesOfAccountsMayBeLate(CapturedOutput output) {
		awaitAChangeOfAnAccount();
		this.database.stall();
		await().until(() -> output.getOut().contains("Failed to read the changed accounts"));
		this.database.resume();
		await().until(() -> output.getOut().contains("Changed accounts are read again"));
	}

	/** The server warns again only after it has recovered from the test before. */
	private void awaitAChangeOfAnAccount() {
		String messages = "/api/rooms/" + this.server.room("hugo") + "/messages";
		ChatApi hugo = this.server.user("hugo");
		this.jdbc.update("UPDATE account SET state = 'suspended', changed_at = ? WHERE username = 'hugo'",
				LocalDateTime.now(ZoneOffset.UTC));
		await().until(() -> "suspended".equals(hugo.post(messages, Map.of("clientId", "h1", "text", "text")).code()));
	}

	@Test
	void aSignInThatEndedBeforeStaysEnded() {
		ChatApi left = this.server.user("left");
		try (StompConnection session = this.server.connect("left")) {
			left.post("/api/auth/logout", Map.of()).expect(204);
			assertThat(session.expectClosed()).isEqualTo(4403);
		}
		this.database.stall();
		assertThat(left.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
		assertThat(left.refreshWith(left.refreshToken()).expect(401).code()).isEqualTo("signed-out");
	}

	/** A logout that is not confirmed may take effect later, and may be repeated. */
	@Test
	void aLogoutTakesEffectAfterwards() {
		ChatApi stays = this.server.user("stays");
		try (StompConnection session = this.server.connectWithEvents("stays")) {
			this.database.stall();
			assertThat(stays.post("/api/auth/logout", Map.of()).expect(503).code()).isEqualTo("store-unavailable");
			DatabaseOutage.refresh(session, stays);
			this.database.resume();
			await().until(() -> List.of(204, 401).contains(stays.post("/api/auth/logout", Map.of()).status()));
			assertThat(session.expectClosed()).isEqualTo(4403);
			assertThat(stays.refreshWith(stays.refreshToken()).expect(401).code()).isEqualTo("signed-out");
		}
	}

	@Test
	void repliesGoOnAndAreCountedAfterwards() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long root = anna.say(room, "root", "root");
		String thread = "/api/rooms/" + room + "/threads/" + root;
		Map<String, String> send = Map.of("destination", "/app/rooms." + room + ".send");
		try (StompConnection device = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connect("bert")) {
			bert.confirmed("SEND", send, "{\"clientId\":\"c1\",\"text\":\"text\",\"thread\":" + root + "}");
			device.expectEvent("me", (event) -> event.path("unread").asInt() == 1);
			this.database.stall();
			for (int i = 2; i < 5; i++) {
				bert.confirmed("SEND", send, "{\"clientId\":\"c" + i + "\",\"text\":\"text\",\"thread\":" + root + "}");
			}
			assertThat(anna.put(thread + "/read", Map.of("position", root)).expect(503).code())
				.isEqualTo("store-unavailable");
			this.database.resume();
			device.expectEvent("me",
					(event) -> event.path("thread").asLong() == root && event.path("unread").asInt() == 4);
		}
		JsonNode page = await()
			.until(() -> anna.refresh().get(thread + "/messages"), (answer) -> answer.status() == 200)
			.body();
		assertThat(page.path("unread").asInt()).isEqualTo(4);
		assertThat(page.at("/root/thread/replies").asInt()).isEqualTo(4);
		assertThat(page.path("messages").size()).isEqualTo(4);
	}

	@Test
	void aSessionResumesTypesAndReads() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			bert.follow("s", room);
			anna.expectReceipt(anna.say(room, "c0", "text"));
			long seen = bert.expectMessage("s", "c0").path("position").asLong();
			bert.unsubscribe("s");
			this.database.stall();
			anna.expectReceipt(anna.say(room, "c1", "text"));
			try (StompConnection again = this.server.connectWithEvents("bert")) {
				assertThat(again.follow("s", room, seen).path("recovered").asBoolean()).isTrue();
				long missed = again.expectMessage("s", "c1").path("position").asLong();
				again.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "");
				anna.expectEvent("signals", (event) -> event.path("type").asString().equals("typing"));
				again.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"),
						"{\"position\":" + missed + "}");
			}
		}
	}

	@Test
	void aUserWhoConnectsIsReportedOnline() {
		String room = this.server.room("anna", "newcomer");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			try (StompConnection before = this.server.connectWithEvents("newcomer")) {
				anna.expectEvent("signals", (event) -> isPresence(event, "newcomer", "online"));
			}
			anna.expectEvent("signals", (event) -> isPresence(event, "newcomer", "offline"));
			int signals = anna.events("signals").size();
			this.database.stall();
			try (StompConnection newcomer = this.server.connectWithEvents("newcomer")) {
				await().untilAsserted(() -> assertThat(anna.events("signals").stream().skip(signals))
					.anyMatch((event) -> isPresence(event, "newcomer", "online")));
				assertThat(newcomer.isClosed()).isFalse();
			}
		}
	}

	@Test
	void theLastCountOfALargeRoomIsSignalledAfterwards() {
		String room = Crowd.channel(this.server, this.jdbc, "crowdhost", 1_000);
		ChatApi hugo = this.server.user("hugo");
		ChatApi ida = this.server.user("ida");
		try (StompConnection host = this.server.connect("crowdhost")) {
			Crowd.follow(host, room);
			ida.join(room, "ida").expect(201);
			Crowd.expectCount(host, room, 1_001);
			hugo.join(room, "hugo").expect(201);
			this.database.stall();
			assertThat(hugo.get("/api/rooms").expect(503).code()).isEqualTo("store-unavailable");
			this.database.resume();
			Crowd.expectCount(host, room, 1_002);
		}
	}

	private static boolean isPresence(JsonNode event, String user, String state) {
		return event.path("type").asString().equals("presence") && event.path("user").asString().equals(user)
				&& event.path("state").asString().equals(state);
	}

	@Test
	void theNewestPageOfHistoryIsAvailable() {
		String room = this.server.room("anna");
		long first = this.server.user("anna").say(room, "c0", "text");
		this.database.stall();
		long last = this.server.user("anna").say(room, "c1", "text");
		assertThat(Chain.positions(this.server.user("anna").history(room, ""))).endsWith(first, last);
		assertThat(Chain.positions(this.server.user("anna").history(room, "?after=" + first))).containsExactly(last);
	}

	@Test
	void requestsThatNeedTheDatabaseFailAtOnceAndTheSessionLives() {
		String room = this.server.room("anna", "cleo");
		String seen = this.server.room("anna");
		this.server.user("cleo");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection cleo = this.server.connectWithEvents("cleo")) {
			anna.follow("seen", seen);
			this.database.stall();
			assertThat(cleo.expectError("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room), "")
				.path("code")
				.asString()).isEqualTo("store-unavailable");
			JsonNode refused = cleo.expectError("/app/rooms." + room + ".send",
					"{\"clientId\":\"c1\",\"text\":\"hi\"}");
			assertThat(refused.path("code").asString()).isEqualTo("store-unavailable");
			assertThat(refused.path("clientId").asString()).isEqualTo("c1");
			ChatApi.Answer answer = this.server.user("anna").get("/api/rooms").expect(503);
			assertThat(answer.code()).isEqualTo("store-unavailable");
			assertThat(answer.response().headers().firstValue("Retry-After")).contains("1");
			this.database.resume();
			await().until(() -> this.server.user("cleo")
				.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c2", "text", "hi"))
				.status() == 202);
			cleo.follow("s", room);
			this.server.user("anna").get("/api/rooms").expect(200);
		}
	}

	@Test
	void aMemberRemovedBeforeStaysOut() {
		String room = this.server.room("anna", "bert");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			bert.expectReceipt(bert.say(room, "c0", "text"));
			this.server.user("anna").leave(room, "bert").expect(204);
			bert.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			this.database.stall();
			assertThat(bert.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"c1\",\"text\":\"hi\"}")
				.path("code")
				.asString()).isIn("not-a-member", "store-unavailable");
			assertThat(bert.expectError("SUBSCRIBE", Map.of("id", "t", "destination", "/topic/rooms." + room), "")
				.path("code")
				.asString()).isIn("not-a-member", "store-unavailable");
		}
	}

}
