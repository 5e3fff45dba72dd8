package io.parley.conformance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.FaultyLog;
import io.parley.server.testing.FaultyLog.Fault;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.UtcTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Members of a room with slow mode send one message per time. */
@UnlimitedServer
class SlowModeTests {

	private final ChatServer server;

	private final FaultyLog log;

	private final JdbcTemplate jdbc;

	SlowModeTests(ChatServer server, FaultyLog log, JdbcTemplate jdbc) {
		this.server = server;
		this.log = log;
		this.jdbc = jdbc;
	}

	@AfterEach
	void repair() {
		this.log.set(Fault.NONE);
	}

	private String slowRoom() {
		String room = this.server.room("anna", "bert", "mona");
		this.server.user("anna").changeRole(room, "mona", "moderator").expect(200);
		set(room, 60).expect(204);
		return room;
	}

	private ChatApi.Answer set(String room, int seconds) {
		return this.server.user("anna").put("/api/rooms/" + room + "/slow-mode", Map.of("seconds", seconds));
	}

	private ChatApi.Answer post(String user, String room, String clientId) {
		return this.server.user(user)
			.post("/api/rooms/" + room + "/messages", Map.of("clientId", clientId, "text", "text"));
	}

	private void pass(String room, int seconds) {
		this.jdbc.update("UPDATE slow_mode_turn SET taken_at = ? WHERE room_id = ?",
				UtcTime.of(Instant.now().minusSeconds(seconds)), room);
	}

	@Test
	void saysWhenTheNextMessageMayBeSent() {
		String room = slowRoom();
		post("bert", room, "c1").expect(202);
		ChatApi.Answer refused = post("bert", room, "c2").expect(429);
		assertThat(refused.code()).isEqualTo("slow-mode");
		assertThat(refused.response().headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 60L);
		assertThat(refused.body().path("detail").asString()).contains("one message in 60 s");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			JsonNode error = bert.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"c3\",\"text\":\"t\"}");
			assertThat(error.path("code").asString()).isEqualTo("slow-mode");
			assertThat(error.path("clientId").asString()).isEqualTo("c3");
			assertThat(error.path("retryAfter").asLong()).isBetween(1L, 60L);
		}
		pass(room, 55);
		assertThat(post("bert", room, "c2").expect(429).response().headers().firstValueAsLong("Retry-After").orElse(0))
			.isBetween(1L, 5L);
		pass(room, 60);
		post("bert", room, "c2").expect(202);
		assertThat(post("bert", room, "c3").expect(429).code()).isEqualTo("slow-mode");
	}

	@Test
	void errorsThatARetryCannotHelpHaveNoTime() {
		String room = slowRoom();
		this.server.user("dora");
		try (StompConnection dora = this.server.connectWithEvents("dora")) {
			JsonNode error = dora.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"c\",\"text\":\"t\"}");
			assertThat(error.path("code").asString()).isEqualTo("not-a-member");
			assertThat(error.has("retryAfter")).isFalse();
		}
	}

	@Test
	void isForMembersAndForMessagesOnly() {
		String room = slowRoom();
		long position = post("bert", room, "c1").expect(202).body().path("position").asLong();
		ChatApi bert = this.server.user("bert");
		bert.edit(room, position, "e1", "edited").expect(202);
		bert.react(room, position, ":a:", true).expect(202);
		bert.post("/api/rooms/" + room + "/threads/" + position + "/messages", Map.of("clientId", "t1", "text", "t"))
			.expect(429);
		bert.deleteMessage(room, position).expect(202);
		for (String user : List.of("anna", "mona")) {
			for (int i = 0; i < 3; i++) {
				post(user, room, "c" + i).expect(202);
			}
		}
		String other = this.server.room("bert");
		post("bert", other, "c1").expect(202);
		post("bert", other, "c2").expect(202);
	}

	@Test
	void aRepeatedMessageIsNotRefused() {
		String room = slowRoom();
		long first = post("bert", room, "c1").expect(202).body().path("position").asLong();
		pass(room, 60);
		post("bert", room, "c2").expect(202);
		for (String clientId : List.of("c1", "c2", "c1")) {
			post("bert", room, clientId).expect(202);
		}
		assertThat(post("bert", room, "c1").body().path("position").asLong()).isEqualTo(first);
		assertThat(post("bert", room, "c3").expect(429).code()).isEqualTo("slow-mode");
		assertThat(this.server.user("bert").view(room, "")).hasSize(2);
	}

	@FanOut
	@Test
	void isSignalledAndShown() {
		String room = this.server.room("anna", "bert");
		ChatApi bert = this.server.user("bert");
		assertThat(bert.listed(room).has("slowMode")).isFalse();
		try (StompConnection session = this.server.connectWithEvents("bert")) {
			session.subscribe("signals", "/topic/rooms." + room + ".signals");
			set(room, 30).expect(204);
			JsonNode signal = session.expectEvent("signals", (one) -> one.path("type").asString().equals("slow-mode"));
			assertThat(signal.path("seconds").asInt()).isEqualTo(30);
			assertThat(signal.path("by").asString()).isEqualTo("anna");
			assertThat(signal.path("room").asString()).isEqualTo(room);
		}
		assertThat(bert.listed(room).path("slowMode").asInt()).isEqualTo(30);
		assertThat(bert.get("/api/rooms/" + room).expect(200).body().path("slowMode").asInt()).isEqualTo(30);
	}

	@Test
	void takesEffectAndEndsAtOnce() {
		String room = this.server.room("anna", "bert");
		for (int round = 0; round < 3; round++) {
			post("bert", room, "a" + round).expect(202);
			post("bert", room, "b" + round).expect(202);
			set(room, 60).expect(204);
			post("bert", room, "c" + round).expect(202);
			post("bert", room, "d" + round).expect(429);
			set(room, 0).expect(204);
		}
	}

	@Test
	void oneOfManyMessagesAtOnceIsAccepted() throws Exception {
		String room = slowRoom();
		List<Future<Integer>> posts = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 20; i++) {
				String clientId = "c" + i;
				posts.add(threads.submit(() -> post("bert", room, clientId).status()));
			}
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<Integer> one : posts) {
			statuses.add(one.get());
		}
		assertThat(statuses).containsOnly(202, 429).containsOnlyOnce(202);
	}

	@Test
	void aMessageThatIsNotAcceptedTakesNoTurn() {
		String room = slowRoom();
		assertThat(this.server.user("bert")
			.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c", "text", "t", "replyTo", 7))
			.code()).isEqualTo("not-found");
		this.log.set(Fault.REFUSES);
		assertThat(post("bert", room, "c1").expect(503).code()).isEqualTo("log-unavailable");
		this.log.set(Fault.NONE);
		await().untilAsserted(() -> post("bert", room, "c2").expect(202));
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "WRITES_AND_DOES_NOT_KNOW", "LOSES_AND_DOES_NOT_KNOW" })
	void aMessageOfUnknownOutcomeKeepsItsTurnForTheRetry(Fault fault) {
		String room = slowRoom();
		this.log.set(fault);
		assertThat(post("bert", room, "c1").expect(503).code()).isEqualTo("append-unknown");
		this.log.set(Fault.NONE);
		assertThat(post("bert", room, "c2").expect(429).code()).isEqualTo("slow-mode");
		post("bert", room, "c1").expect(202);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"seconds\":null}", "{\"seconds\":-1}", "{\"seconds\":21601}", "{\"seconds\":1.5}",
			"{\"seconds\":\"9\"}", "{\"seconds\":99999999999}", "[]", "" })
	void needsATimeThatMakesSense(String body) {
		String room = this.server.room("anna");
		assertThat(this.server.user("anna").exchange("PUT", "/api/rooms/" + room + "/slow-mode", body).status())
			.isEqualTo(400);
		set(room, 21_600).expect(204);
	}

}
