package io.parley.conformance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.MessageCopy;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests reactions to messages, over STOMP and HTTP. */
@UnlimitedServer
class ReactionTests {

	private static final String THUMB = "\ud83d\udc4d";

	private static final String HEART = "\u2764\ufe0f";

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	ReactionTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@FanOut
	@Test
	void isDeliveredWithAllCounts() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connect("bert")) {
			long start = bert.follow("s", room).path("head").asLong();
			long target = this.server.user("anna").say(room, "c1", "text");
			anna.expectReceipt(anna.react(room, target, THUMB, true));
			JsonNode first = reaction(bert, target, 1);
			assertThat(first.path("sender").asString()).isEqualTo("anna");
			assertThat(first.path("counts").toString()).isEqualTo("{\"" + THUMB + "\":1}");
			assertThat(first.path("by").toString())
				.isEqualTo("[{\"user\":\"anna\",\"key\":\"" + THUMB + "\",\"on\":true}]");
			assertThat(first.path("more").asInt(-1)).isZero();
			assertThat(first.has("clientId")).isFalse();
			JsonNode answer = this.server.user("bert").react(room, target, ":party:", true).expect(202).body();
			JsonNode second = reaction(bert, target, 2);
			assertThat(answer.path("position").asLong()).isEqualTo(second.path("position").asLong());
			assertThat(answer.path("id").asString()).isEqualTo(second.path("id").asString());
			assertThat(second.path("counts").toString()).isEqualTo("{\"" + THUMB + "\":1,\":party:\":1}");
			Chain.assertUnbroken(bert.events("s").stream().skip(1).toList(), start);
			List<JsonNode> feed = this.server.user("bert").history(room, "?after=" + target);
			assertThat(feed).extracting((event) -> event.path("number").asInt()).containsExactly(1, 1);
			assertThat(feed.getFirst().path("superseded").asBoolean()).isTrue();
			assertThat(feed.getFirst().has("counts") || feed.getFirst().has("by")).isFalse();
			assertThat(feed.getLast().path("counts")).isEqualTo(second.path("counts"));
			assertThat(this.server.user("bert").listed(room).path("unread").asInt()).isEqualTo(1);
		}
	}

	/** Returns one of the events with reactions to a message, counted from 1. */
	private static JsonNode reaction(StompConnection connection, long target, int number) {
		return await()
			.until(() -> connection.events("s")
				.stream()
				.filter((event) -> event.path("type").asString().equals("reaction.changed")
						&& event.path("target").asLong() == target)
				.toList(), (events) -> events.size() >= number)
			.get(number - 1);
	}

	@Test
	void theViewShowsWhoReacted() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long plain = anna.say(room, "c0", "plain");
		long target = anna.say(room, "c1", "text");
		try (StompConnection bert = this.server.connect("bert")) {
			anna.react(room, target, THUMB, true).expect(202);
			bert.expectReceipts(List.of(bert.react(room, target, THUMB, true), bert.react(room, target, HEART, true)));
		}
		JsonNode seen = anna.view(room, "&after=" + plain).getFirst();
		assertThat(seen.path("reactions").toString())
			.isEqualTo("{\"" + THUMB + "\":{\"n\":2,\"mine\":true,\"users\":[\"anna\",\"bert\"]},\"" + HEART
					+ "\":{\"n\":1,\"mine\":false,\"users\":[\"bert\"]}}");
		assertThat(seen.has("edited")).isFalse();
		assertThat(anna.view(room, "&changedAfter=" + plain)).containsExactly(seen);
		assertThat(seen.path("changed").asLong())
			.isEqualTo(anna.history(room, "?limit=1").getLast().path("position").asLong());
		await().until(() -> stored(room, target) == 3);
		assertThat(anna.view(room, "&limit=2").getFirst().has("reactions")).isFalse();
		assertThat(this.server.user("bert").view(room, "").getLast().at("/reactions/" + HEART + "/mine").asBoolean())
			.isTrue();
	}

	private int stored(String room, long target) {
		Integer count = this.jdbc.queryForObject("SELECT COUNT(*) FROM reaction WHERE room_id = ? AND target = ?",
				Integer.class, room, target);
		return (count != null) ? count : 0;
	}

	@Test
	void whatHasNoEffectIsAcceptedWithoutAnEvent() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "text");
		JsonNode nothing = anna.react(room, target, THUMB, false).expect(202).body();
		assertThat(nothing.path("position").asLong()).isEqualTo(target);
		assertThat(nothing.has("id")).isFalse();
		long first = anna.react(room, target, THUMB, true).expect(202).body().path("position").asLong();
		JsonNode again = anna.react(room, target, THUMB, true).expect(202).body();
		assertThat(again.path("position").asLong()).isEqualTo(first);
		assertThat(again.has("id")).isFalse();
		assertThat(anna.history(room, "?after=" + target)).hasSize(1);
		anna.react(room, target, THUMB, false).expect(202);
		assertThat(anna.history(room, "?after=" + first)).hasSize(1)
			.first()
			.satisfies((event) -> assertThat(event.path("counts").size()).isZero());
		assertThat(anna.view(room, "").getLast().has("reactions")).isFalse();
		await().until(() -> stored(room, target) == 0);
	}

	@FanOut
	@Test
	void aClientIdIsAnsweredOnTheDevices() {
		String room = this.server.room("anna");
		long target = this.server.user("anna").say(room, "c1", "text");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection other = this.server.connectWithEvents("anna")) {
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".react"),
					"{\"clientId\":\"r1\",\"target\":" + target + ",\"key\":\"" + THUMB + "\",\"on\":true}");
			for (StompConnection device : List.of(anna, other)) {
				JsonNode accepted = device.expectEvent("me",
						(event) -> event.path("clientId").asString("").equals("r1"));
				assertThat(accepted.path("type").asString()).isEqualTo("accepted");
				assertThat(accepted.path("position").asLong()).isGreaterThan(target);
			}
			JsonNode error = anna.expectError("/app/rooms." + room + ".react",
					"{\"clientId\":\"r2\",\"target\":1,\"key\":\"" + THUMB + "\",\"on\":true}");
			assertThat(error.path("code").asString()).isEqualTo("not-found");
			assertThat(error.path("clientId").asString()).isEqualTo("r2");
		}
	}

	@Test
	void limitsTheReactionsToAMessage() {
		String room = this.server.room("anna", "bert", "cleo");
		long target = this.server.user("anna").say(room, "c1", "text");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert");
				StompConnection cleo = this.server.connectWithEvents("cleo")) {
			List<String> receipts = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				receipts.add(anna.react(room, target, ":a" + i + ":", true));
			}
			anna.expectReceipts(receipts);
			receipts.clear();
			String eleventh = anna.react(room, target, ":a10:", true);
			assertThat(anna.expectEvent("me", (event) -> event.path("receipt").asString("").equals(eleventh))
				.path("code")
				.asString()).isEqualTo("too-many-reactions");
			for (int i = 0; i < 10; i++) {
				receipts.add(bert.react(room, target, ":b" + i + ":", true));
			}
			bert.expectReceipts(receipts);
			String twentyFirst = cleo.react(room, target, ":c:", true);
			assertThat(cleo.expectEvent("me", (event) -> event.path("receipt").asString("").equals(twentyFirst))
				.path("code")
				.asString()).isEqualTo("too-many-reactions");
			assertThat(this.server.user("cleo").react(room, target, ":c:", true).expect(409).code())
				.isEqualTo("too-many-reactions");
			cleo.expectReceipt(cleo.react(room, target, ":a0:", true));
			anna.expectReceipts(
					List.of(anna.react(room, target, ":a1:", false), anna.react(room, target, ":a11:", true)));
		}
		JsonNode reactions = this.server.user("cleo").view(room, "").getLast().path("reactions");
		assertThat(reactions.size()).isEqualTo(20);
		assertThat(reactions.at("/:a0:").toString()).isEqualTo("{\"n\":2,\"mine\":true,\"users\":[\"anna\",\"cleo\"]}");
	}

	@Test
	void editsAndReactionsDoNotOvertakeEachOther() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "first");
		anna.react(room, target, THUMB, true).expect(202);
		anna.edit(room, target, "c2", "second").expect(202);
		long other = anna.say(room, "c3", "first");
		anna.edit(room, other, "c4", "second").expect(202);
		anna.react(room, other, THUMB, true).expect(202);
		List<JsonNode> feed = anna.history(room, "?after=" + (target - 1));
		assertThat(feed).hasSize(6).noneMatch((event) -> event.has("superseded"));
		assertThat(new MessageCopy().events(feed).messages())
			.isEqualTo(new MessageCopy().views(anna.view(room, "")).messages());
	}

	@Test
	void aDeletedMessageHasNone() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "text");
		anna.react(room, target, THUMB, true).expect(202);
		await().until(() -> stored(room, target) == 1);
		anna.deleteMessage(room, target).expect(202);
		assertThat(this.server.user("bert").react(room, target, THUMB, true).expect(409).code())
			.isEqualTo("message-deleted");
		assertThat(anna.view(room, "").getLast().has("reactions")).isFalse();
		assertThat(anna.history(room, "?after=" + (target - 1)).toString()).doesNotContain("counts", "\"by\"");
		await().until(() -> stored(room, target) == 0);
		assertThat(this.jdbc.queryForObject("SELECT counts FROM message_state WHERE room_id = ?", String.class, room))
			.isNull();
		assertThat(anna.history(room, "?after=" + (target - 1)).toString()).doesNotContain("counts", "\"by\"");
	}

	@Test
	void theTargetMustBeAMessageOfTheRoom() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long created = anna.history(room, "").getFirst().path("position").asLong();
		long other = anna.say(this.server.room("anna"), "c", "text");
		for (long target : new long[] { created, other, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE, created + 100_000 }) {
			assertThat(anna.react(room, target, THUMB, true).expect(404).code()).isEqualTo("not-found");
		}
		long target = anna.say(room, "c2", "text");
		long reaction = anna.react(room, target, THUMB, true).expect(202).body().path("position").asLong();
		assertThat(anna.react(room, reaction, THUMB, true).expect(404).code()).isEqualTo("not-found");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"target\":5,\"on\":true}", "{\"target\":5,\"key\":\":a:\"}",
			"{\"target\":5,\"key\":\":a:\",\"on\":1}", "{\"target\":5,\"key\":\":a:\",\"on\":\"true\"}",
			"{\"key\":\":a:\",\"on\":true}", "{\"target\":\"5\",\"key\":\":a:\",\"on\":true}",
			"{\"target\":5,\"key\":\"a\",\"on\":true}", "{\"target\":5,\"key\":\":a:\",\"on\":true,\"own\":1}",
			"{\"target\":5,\"key\":7,\"on\":true}" })
	void refusesABodyThatIsNoReaction(String body) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna.expectError("/app/rooms." + room + ".react", body).path("code").asString())
				.isEqualTo("bad-message");
		}
	}

	/** 300 users react and take back, for as long as five events take. */
	@FanOut
	@Test
	void aRushIsOneEventASecond() throws Exception {
		int users = 300;
		String room = this.server.room("anna");
		long target = this.server.user("anna").say(room, "c1", "text");
		ReactionRush rush = new ReactionRush(this.server, room, users);
		try (StompConnection watcher = this.server.connect("anna")) {
			watcher.follow("s", room);
			Set<String> left = rush.run(List.of(this.server), target);
			await().until(() -> watcher.events("s").getLast().path("counts").path(THUMB).asInt(0) == left.size());
			List<JsonNode> events = watcher.events("s").stream().skip(1).toList();
			ReactionRush.assertApart(events, 1);
			JsonNode view = this.server.user("anna").view(room, "").getLast().at("/reactions/" + THUMB);
			assertThat(view.path("n").asInt(0)).isEqualTo(left.size());
			assertThat(left).containsAll(names(view));
			await().until(() -> stored(room, target) == left.size());
		}
	}

	private static Set<String> names(JsonNode view) {
		Set<String> names = new HashSet<>();
		view.path("users").forEach((user) -> names.add(user.asString()));
		return names;
	}

}
