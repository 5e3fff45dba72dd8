package io.parley.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StillDatabase;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests a database that keeps its connections but does not respond. */
@UnlimitedServer
@Import(StillDatabase.class)
class AwayDatabaseTests {

	private final ChatServer server;

	private final StillDatabase database;

	AwayDatabaseTests(ChatServer server, StillDatabase database) {
		this.server = server;
		this.database = database;
	}

	@AfterEach
	void resume() {
		this.database.resume();
	}

	/** Lasts longer than the server's caches. */
	@Test
	@Tag("slow")
	void liveMessagesGoOn() throws Exception {
		assertMessagesAreDelivered(40, 5);
	}

	/**
	 * {@code -Dparley.test.away-seconds=3600 -Dparley.test.away-rate=50} runs it for an
	 * hour.
	 */
	@Test
	@Tag("exhaustive")
	void liveMessagesGoOnForAnHour() throws Exception {
		assertMessagesAreDelivered(Integer.getInteger("parley.test.away-seconds", 70),
				Integer.getInteger("parley.test.away-rate", 20));
	}

	private void assertMessagesAreDelivered(int seconds, int rate) throws Exception {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			long start = bert.follow("s", room).path("head").asLong();
			anna.expectReceipt(anna.say(room, "first", "text"));
			this.database.stall();
			List<String> receipts = send(anna, bert, room, seconds, rate);
			anna.expectReceipts(receipts);
			bert.expectMessage("s", "c" + (receipts.size() - 1));
			List<JsonNode> events = bert.events("s").stream().skip(1).toList();
			assertThat(events).hasSize(receipts.size() + 1);
			Chain.assertUnbroken(events, start);
			this.database.resume();
			await().atMost(Duration.ofSeconds(60 + seconds / 6))
				.ignoreExceptionsInstanceOf(AssertionError.class)
				.until(() -> stored(room), (stored) -> stored.size() == receipts.size() + 1);
			assertThat(stored(room))
				.isEqualTo(events.stream().map((event) -> event.path("clientId").asString()).toList());
		}
	}

	/**
	 * Sends messages at a rate while both sessions renew their tokens.
	 * @return the ids of the expected receipts
	 */
	private List<String> send(StompConnection sender, StompConnection reader, String room, int seconds, int rate)
			throws Exception {
		List<String> receipts = Collections.synchronizedList(new ArrayList<>());
		try (ScheduledExecutorService clock = Executors.newScheduledThreadPool(2)) {
			for (int second = 10; second < seconds; second += 300) {
				clock.schedule(() -> refresh(sender, this.server.user("anna")), second, TimeUnit.SECONDS);
				clock.schedule(() -> refresh(reader, this.server.user("bert")), second, TimeUnit.SECONDS);
			}
			IntStream.range(0, seconds * rate)
				.forEach((i) -> clock.schedule(() -> receipts.add(sender.say(room, "c" + i, "text")), i * 1_000L / rate,
						TimeUnit.MILLISECONDS));
			clock.shutdown();
			assertThat(clock.awaitTermination(seconds + 60, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(receipts).hasSize(seconds * rate);
		return receipts;
	}

	private List<String> stored(String room) {
		List<String> clientIds = new ArrayList<>();
		ChatApi reader = this.server.user("anna").refresh();
		List<JsonNode> page = reader.history(room, "?limit=200&after=0");
		while (!page.isEmpty()) {
			page.stream()
				.filter((event) -> event.path("type").asString().equals("message.posted"))
				.forEach((event) -> clientIds.add(event.path("clientId").asString()));
			page = reader.history(room, "?limit=200&after=" + page.getLast().path("position").asLong());
		}
		return clientIds;
	}

	@Test
	void aSessionOutlivesItsTokenByARefresh() {
		ChatApi carla = this.server.user("carla");
		try (StompConnection session = this.server.connectWithEvents("carla")) {
			this.database.stall();
			refresh(session, carla);
			assertThat(session.isClosed()).isFalse();
		}
	}

	/** Refreshes the token as a client does before it expires. */
	private static ChatApi refresh(StompConnection session, ChatApi user) {
		ChatApi refreshed = user.refresh();
		session.confirmed("SEND", Map.of("destination", "/app/token"),
				"{\"accessToken\":\"" + refreshed.token() + "\"}");
		return refreshed;
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
