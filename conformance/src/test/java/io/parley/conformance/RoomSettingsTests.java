package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.FaultyLog;
import io.parley.server.testing.FaultyLog.Fault;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests changes of the name, the topic and the other settings of rooms. */
@UnlimitedServer
class RoomSettingsTests {

	private final ChatServer server;

	private final FaultyLog log;

	private final JdbcTemplate jdbc;

	RoomSettingsTests(ChatServer server, FaultyLog log, JdbcTemplate jdbc) {
		this.server = server;
		this.log = log;
		this.jdbc = jdbc;
	}

	@AfterEach
	void repair() {
		this.log.set(Fault.NONE);
	}

	private ChatApi.Answer change(String user, String room, Map<String, ?> wanted) {
		return this.server.user(user).patch("/api/rooms/" + room, wanted);
	}

	/** Returns the events of changes, without what all events have. */
	private List<String> changes(String room) {
		return this.server.user("anna")
			.history(room, "?after=0&limit=200")
			.stream()
			.filter((event) -> event.path("type").asString().equals("room.changed"))
			.map((event) -> event.toString().replaceAll(".*\"sentAt\":\"[^\"]*\",", "{"))
			.toList();
	}

	@FanOut
	@Test
	void areToldAndShown() {
		String room = this.server.room("anna", "bert");
		ChatApi bert = this.server.user("bert");
		assertThat(bert.listed(room).has("topic") || bert.listed(room).has("memberPins")).isFalse();
		try (StompConnection session = this.server.connect("bert")) {
			long start = session.follow("s", room).path("head").asLong();
			JsonNode changed = change("anna", room,
					Map.of("name", " New \"name\" \u00e4 ", "topic", "What \ud83d\ude00?"))
				.expect(200)
				.body();
			assertThat(changed.path("name").asString()).isEqualTo("New \"name\" \u00e4");
			assertThat(changed.path("topic").asString()).isEqualTo("What \ud83d\ude00?");
			JsonNode event = session.expectEvent("s", (one) -> one.path("type").asString().equals("room.changed"));
			assertThat(event.path("sender").asString()).isEqualTo("anna");
			assertThat(event.path("name").asString()).isEqualTo("New \"name\" \u00e4");
			assertThat(event.path("topic").asString()).isEqualTo("What \ud83d\ude00?");
			assertThat(event.has("slowMode") || event.has("memberPins")).isFalse();
			change("anna", room, Map.of("topic", "", "memberPins", true, "slowMode", 30)).expect(200);
			JsonNode second = session.expectEvent("s", (one) -> one.has("memberPins"));
			Chain.assertUnbroken(session.events("s").stream().skip(1).toList(), start);
			assertThat(second.path("slowMode").asInt()).isEqualTo(30);
			assertThat(second.path("topic").asString("-")).isEmpty();
			assertThat(second.has("name")).isFalse();
			for (JsonNode shown : List.of(bert.listed(room), bert.get("/api/rooms/" + room).expect(200).body())) {
				assertThat(shown.path("name").asString()).isEqualTo("New \"name\" \u00e4");
				assertThat(shown.has("topic")).isFalse();
				assertThat(shown.path("slowMode").asInt()).isEqualTo(30);
				assertThat(shown.path("memberPins").asBoolean()).isTrue();
			}
			assertThat(bert.listed(room).path("unread").asInt()).isZero();
			assertThat(bert.listed(room).path("head")).isEqualTo(second.path("position"));
		}
	}

	@Test
	void withoutADifferenceThereIsNoEvent() {
		String room = this.server.room("anna");
		String name = this.server.user("anna").listed(room).path("name").asString();
		change("anna", room, Map.of("name", name, "topic", " ", "slowMode", 0, "memberPins", false)).expect(200);
		assertThat(changes(room)).isEmpty();
		for (int i = 0; i < 2; i++) {
			change("anna", room, Map.of("name", name, "topic", "one")).expect(200);
		}
		assertThat(changes(room)).containsExactly("{\"topic\":\"one\"}");
	}

	@FanOut
	@Test
	void slowModeIsOneSettingForBothCalls() {
		String room = this.server.room("anna", "bert", "mona");
		this.server.user("anna").changeRole(room, "mona", "moderator").expect(200);
		ChatApi mona = this.server.user("mona");
		try (StompConnection session = this.server.connect("bert")) {
			session.subscribe("signals", "/topic/rooms." + room + ".signals");
			mona.put("/api/rooms/" + room + "/slow-mode", Map.of("seconds", 60)).expect(204);
			mona.patch("/api/rooms/" + room, Map.of("slowMode", 61)).expect(200);
			for (int seconds : List.of(60, 61)) {
				session.expectEvent("signals", (signal) -> signal.path("seconds").asInt() == seconds);
			}
		}
		assertThat(changes(room)).containsExactly("{\"slowMode\":60}", "{\"slowMode\":61}");
		this.server.user("bert").say(room, "c1", "text");
		assertThat(this.server.user("bert")
			.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c2", "text", "t"))
			.expect(429)
			.code()).isEqualTo("slow-mode");
		mona.patch("/api/rooms/" + room, Map.of("slowMode", 0)).expect(200);
		this.server.user("bert").say(room, "c2", "text");
	}

	@Test
	void areForTheOwner() {
		String room = this.server.room("anna", "bert", "mona");
		this.server.user("anna").changeRole(room, "mona", "moderator").expect(200);
		for (Map<String, ?> wanted : List.of(Map.of("name", "n"), Map.of("topic", "t"), Map.of("memberPins", true),
				Map.of("slowMode", 9, "topic", "t"))) {
			assertThat(change("mona", room, wanted).expect(403).code()).isEqualTo("not-allowed");
			assertThat(change("bert", room, wanted).expect(403).code()).isEqualTo("not-allowed");
		}
		assertThat(change("bert", room, Map.of("slowMode", 9)).expect(403).code()).isEqualTo("not-allowed");
		this.server.user("eva");
		assertThat(change("eva", room, Map.of("name", "n")).expect(403).code()).isEqualTo("not-a-member");
		assertThat(change("anna", "no-such-room", Map.of("name", "n")).expect(403).code()).isEqualTo("not-a-member");
		String direct = this.server.user("anna").openDirect("bert");
		ChatApi.Answer refused = change("anna", direct, Map.of("name", "n")).expect(403);
		assertThat(refused.code()).isEqualTo("not-allowed");
		assertThat(refused.body().path("detail").asString()).contains("direct room");
		assertThat(changes(room)).isEmpty();
		this.server.user("anna").changeRole(room, "mona", "owner").expect(200);
		change("mona", room, Map.of("name", "Mona's")).expect(200);
		assertThat(change("anna", room, Map.of("name", "Anna's")).expect(403).code()).isEqualTo("not-allowed");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "[]", "", "{\"name\":\"\"}", "{\"name\":\"  \"}", "{\"name\":7}", "{\"name\":null}",
			"{\"name\":\"a\\nb\"}", "{\"name\":\"a\\u0007\"}", "{\"name\":\"a\\u202eb\"}", "{\"name\":\"a\\u2028b\"}",
			"{\"name\":\"\\u200b\"}", "{\"topic\":\"a\\tb\"}", "{\"topic\":\"a\\u0085b\"}", "{\"topic\":true}",
			"{\"topic\":\"a\\ud800\"}", "{\"slowMode\":-1}", "{\"slowMode\":21601}", "{\"slowMode\":1.5}",
			"{\"memberPins\":\"true\"}", "{\"memberPins\":1}", "{\"name\":\"n\",\"slowMode\":-1}" })
	void refusesWhatIsNoSetting(String body) {
		String room = this.server.room("anna");
		assertThat(this.server.user("anna").exchange("PATCH", "/api/rooms/" + room, body).expect(400).code())
			.isEqualTo("bad-request");
		assertThat(changes(room)).isEmpty();
	}

	@Test
	void namesAndTopicsHaveALength() {
		String room = this.server.room("anna");
		change("anna", room, Map.of("name", "n".repeat(100), "topic", "\ud83d\ude00".repeat(250))).expect(200);
		for (Map<String, String> wanted : List.of(Map.of("name", "n".repeat(101)), Map.of("topic", "t".repeat(501)))) {
			ChatApi.Answer refused = change("anna", room, wanted).expect(400);
			assertThat(refused.code()).isEqualTo("bad-request");
			assertThat(refused.body().path("detail").asString()).containsPattern("'(name|topic)'.*(100|500)");
		}
		for (String name : List.of("n".repeat(101), "a\nb", " ")) {
			assertThat(this.server.user("anna").post("/api/rooms", Map.of("name", name, "kind", "group")).code())
				.isEqualTo("bad-request");
		}
		assertThat(this.server.user("anna").listed(room).path("topic").asString()).hasSize(500);
	}

	@Test
	void theLastOfManyEventsSaysWhatTheDatabaseSays() throws Exception {
		String room = this.server.room("anna");
		List<Future<ChatApi.Answer>> calls = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 30; i++) {
				Map<String, ?> wanted = Map.of("name", "name " + i, (i % 2 == 0) ? "topic" : "slowMode",
						(i % 2 == 0) ? "topic " + i : i);
				calls.add(threads.submit(() -> change("anna", room, wanted)));
			}
		}
		for (Future<ChatApi.Answer> call : calls) {
			call.get().expect(200);
		}
		assertThat(changes(room)).hasSize(30);
		JsonNode shown = this.server.user("anna").listed(room);
		for (String field : List.of("name", "topic", "slowMode")) {
			assertThat(this.server.user("anna")
				.history(room, "?after=0&limit=200")
				.stream()
				.filter((event) -> event.path("type").asString().equals("room.changed") && event.has(field))
				.toList()
				.getLast()
				.path(field)).isEqualTo(shown.path(field));
		}
	}

	/** The other server stores its change later, and its event is before this one. */
	@Test
	void theLastEventSaysWhatAnotherServerHasStoredMeanwhile() {
		String room = this.server.room("anna");
		this.log.beforeNextAppend(
				() -> this.jdbc.update("UPDATE room SET name = 'theirs', topic = 'theirs' WHERE id = ?", room));
		assertThat(
				change("anna", room, Map.of("name", "ours", "slowMode", 9)).expect(200).body().path("name").asString())
			.isEqualTo("theirs");
		assertThat(changes(room)).containsExactly("{\"name\":\"ours\",\"slowMode\":9}", "{\"name\":\"theirs\"}");
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "WRITES_AND_DOES_NOT_KNOW", "LOSES_AND_DOES_NOT_KNOW", "REFUSES" })
	void aRepetitionTellsWhatTheLogDidNotConfirm(Fault fault) {
		String room = this.server.room("anna");
		this.log.set(fault);
		assertThat(change("anna", room, Map.of("name", "new")).expect(503).code()).isEqualTo("append-unknown");
		assertThat(this.server.user("anna").listed(room).path("name").asString()).isEqualTo("new");
		assertThat(change("anna", room, Map.of("name", "new")).expect(503).code()).isEqualTo("append-unknown");
		this.log.set(Fault.NONE);
		change("anna", room, Map.of("name", "new")).expect(200);
		assertThat(changes(room)).last()
			.isEqualTo("{\"name\":\"new\",\"topic\":\"\",\"slowMode\":0,\"memberPins\":false}");
		int events = changes(room).size();
		change("anna", room, Map.of("name", "new")).expect(200);
		assertThat(changes(room)).hasSize(events);
	}

}
