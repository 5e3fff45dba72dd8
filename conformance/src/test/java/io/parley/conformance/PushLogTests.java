package io.parley.conformance;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.push.Device;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogEntry.Outcome;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what operators see of push decisions. The entries are about Dora, who is in none
 * of the rooms, so the worker of the server makes no decisions about her.
 */
@UnlimitedServer
class PushLogTests {

	private static final Instant AT = Instant.parse("2026-01-31T08:00:00.123Z");

	private static final Instant LATER = Instant.parse("2099-01-31T08:00:00Z");

	private static final String DEVICE = Device.id(Device.Kind.TOKEN, "secret");

	private final ChatServer server;

	private final PushLogRepository log;

	private final PushTaskRepository tasks;

	private final JdbcTemplate jdbc;

	PushLogTests(ChatServer server, PushLogRepository log, PushTaskRepository tasks, JdbcTemplate jdbc) {
		this.server = server;
		this.log = log;
		this.tasks = tasks;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM push_task WHERE username = 'dora'");
		this.jdbc.update("DELETE FROM push_log WHERE username = 'dora'");
		this.server.user("dora");
	}

	@Test
	void isForOperatorsOnly() {
		String room = this.server.room("anna");
		for (String path : List.of("/api/push/log", "/api/push/log.txt", "/api/push/none")) {
			ChatApi.Answer answer = this.server.user("anna").get(path + "?user=anna&room=" + room).expect(403);
			assertThat(answer.code()).isEqualTo("not-allowed");
			assertThat(answer.body().path("status").asInt()).isEqualTo(403);
			assertThat(answer.response().headers().firstValue("Content-Type").orElse(""))
				.startsWith("application/problem+json");
		}
		ChatApi oscar = this.server.user("oscar");
		this.server.user("olga").patch("/api/operator/users/oscar", Map.of("operator", true)).expect(200);
		oscar.get("/api/push/log?user=anna&room=" + room).expect(200);
	}

	@Test
	void showsTheDecisionsAboutAMessage() {
		String room = this.server.room("anna");
		this.log.add(List.of(entry(room, 5, 7, AT, Outcome.RETRIED), entry(room, 5, 7, AT.plusSeconds(1), Outcome.SENT),
				entry(room, 8, 8, AT.plusSeconds(2), Outcome.SENT)));
		JsonNode answer = ask(room, 6);
		assertThat(answer.path("user").asString()).isEqualTo("dora");
		assertThat(answer.path("room").asString()).isEqualTo(room);
		assertThat(answer.path("position").asLong()).isEqualTo(6);
		assertThat(answer.path("entries")).hasSize(2);
		assertThat(answer.path("entries").get(0)).isEqualTo(ChatApi.JSON
			.readTree("{\"at\":\"2026-01-31T08:00:00.123Z\",\"outcome\":\"retried\",\"device\":\"" + DEVICE
					+ "\",\"platform\":\"ios\",\"detail\":\"m-1\",\"firstPosition\":5,\"lastPosition\":7}"));
		assertThat(answer.path("pending").isNull()).isTrue();
		assertThat(explanation(answer)).isEqualTo("The push service accepted it for 1 device.");
	}

	@Test
	void showsTheLatestDecisionsOfARoom() {
		String room = this.server.room("anna");
		for (int i = 1; i <= 60; i++) {
			this.log.add(List.of(entry(room, i, i, AT.plusSeconds(i), Outcome.MUTED)));
		}
		JsonNode answer = ask(room);
		assertThat(answer.path("position").isNull()).isTrue();
		assertThat(answer.path("entries")).hasSize(50);
		assertThat(answer.path("entries").get(0).path("firstPosition").asLong()).isEqualTo(60);
		assertThat(explanation(answer)).startsWith("Entries, the newest first: 50");
		assertThat(explanation(ask(this.server.room("anna")))).startsWith("Nothing is recorded");
	}

	@Test
	void explainsEachOutcome() {
		String room = this.server.room("anna");
		for (int i = 1; i <= Outcome.values().length; i++) {
			this.log.add(List.of(entry(room, i, i, AT, Outcome.values()[i - 1])));
			assertThat(explanation(ask(room, i))).matches("[A-Z][^.]+\\.");
		}
		assertThat(explanation(ask(room, Outcome.NO_DEVICE.ordinal() + 1))).contains("no device");
	}

	@Test
	void showsPendingTasks() {
		String room = this.server.room("anna");
		this.tasks.merge(List.of(PushTask.of("dora", room, 5, false, "anna", "t", LATER, LATER, LATER)
			.and(PushTask.of("dora", room, 7, false, "anna", "t", LATER, LATER, LATER))));
		assertThat(ask(room, 6).path("pending"))
			.isEqualTo(ChatApi.JSON.readTree("{\"dueAt\":\"2099-01-31T08:00:00Z\",\"messages\":2,\"attempts\":0}"));
		assertThat(explanation(ask(room, 6))).contains("Nothing is decided yet", "waiting until 2099-01-31T08:00:00Z");
		assertThat(ask(room).path("pending").path("messages").asInt()).isEqualTo(2);
		assertThat(ask(room, 4).path("pending").isNull()).isTrue();
		assertThat(ask(room, 8).path("pending").isNull()).isTrue();
	}

	@Test
	void showsTasksToBeRetried() {
		String room = this.server.room("anna");
		this.tasks.merge(List.of(PushTask.of("dora", room, 5, false, "anna", "t", LATER, LATER, LATER)));
		PushTask task = this.tasks.pending("dora", room).orElseThrow();
		this.jdbc.update("UPDATE push_task SET claim = 'c' WHERE username = 'dora'");
		this.tasks.retry(List.of(new PushTaskRepository.Retry(task, Set.of(DEVICE), LATER.plusSeconds(1))), "c");
		this.log.add(List.of(entry(room, 5, 5, AT, Outcome.RETRIED)));
		JsonNode answer = ask(room, 5);
		assertThat(answer.path("pending"))
			.isEqualTo(ChatApi.JSON.readTree("{\"dueAt\":\"2099-01-31T08:00:01Z\",\"messages\":1,\"attempts\":1}"));
		assertThat(explanation(answer)).contains("has not accepted it yet", "waiting until 2099", "failed attempts: 1");
	}

	@Test
	void isAvailableAsPlainText() {
		String room = this.server.room("anna");
		this.log.add(List.of(new PushLogEntry("dora", room, 5, 7, AT, Outcome.REFUSED, DEVICE, Device.Platform.WEB,
				"no \u001b[31msuch\nsender")));
		ChatApi.Answer answer = this.server.user("olga")
			.get("/api/push/log.txt?user=dora&position=6&room=" + room)
			.expect(200);
		assertThat(answer.response().headers().firstValue("Content-Type").orElse("")).startsWith("text/plain");
		assertThat(answer.response().body().lines()).hasSize(2)
			.satisfies(
					(line) -> assertThat(line).contains("2026-01-31T08:00:00.123Z", "refused",
							"web " + DEVICE.substring(0, 8), "5 to 7", "such sender"),
					org.assertj.core.data.Index.atIndex(0))
			.contains("The push service refused it permanently.");
		assertThat(answer.response().body()).doesNotContain("\u001b");
	}

	@Test
	void showsNoTokens() {
		String room = this.server.room("anna");
		this.server.user("dora").post("/api/devices", Map.of("token", "secret", "platform", "ios"));
		this.log.add(List.of(entry(room, 5, 5, AT, Outcome.SENT)));
		for (String path : List.of("/api/push/log", "/api/push/log.txt")) {
			assertThat(this.server.user("olga").get(path + "?user=dora&room=" + room).expect(200).response().body())
				.contains(DEVICE.substring(0, 8))
				.doesNotContain("secret");
		}
	}

	@Test
	void refusesInvalidRequests() {
		String room = this.server.room("anna");
		ChatApi olga = this.server.user("olga");
		assertThat(olga.get("/api/push/log?user=nobody-at-all&room=" + room).expect(404).code()).isEqualTo("not-found");
		assertThat(olga.get("/api/push/log?user=dora&room=none").expect(404).code()).isEqualTo("not-found");
		assertThat(olga.get("/api/push/log?user=dora").expect(400).code()).isEqualTo("bad-request");
		assertThat(olga.get("/api/push/log?room=" + room).expect(400).code()).isEqualTo("bad-request");
		assertThat(olga.get("/api/push/log?user=dora&position=x&room=" + room).expect(400).code())
			.isEqualTo("bad-request");
	}

	private JsonNode ask(String room, long position) {
		return this.server.user("olga")
			.get("/api/push/log?user=dora&room=" + room + "&position=" + position)
			.expect(200)
			.body();
	}

	private JsonNode ask(String room) {
		return this.server.user("olga").get("/api/push/log?user=dora&room=" + room).expect(200).body();
	}

	private static String explanation(JsonNode answer) {
		return answer.path("explanation").asString();
	}

	private static PushLogEntry entry(String room, long first, long last, Instant at, Outcome outcome) {
		return new PushLogEntry("dora", room, first, last, at, outcome, DEVICE, Device.Platform.IOS, "m-1");
	}

}
