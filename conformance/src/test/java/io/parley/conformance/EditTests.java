package io.parley.conformance;

import java.util.List;
import java.util.Map;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests edits of messages, over STOMP and HTTP. */
@FanOut
@UnlimitedServer
class EditTests {

	private final ChatServer server;

	EditTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void isDeliveredOnceAndNamesOnePositionWhenItIsRepeated() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connect("bert")) {
			long start = bert.follow("s", room).path("head").asLong();
			long target = this.server.user("anna").say(room, "c1", "first");
			anna.expectReceipt(anna.edit(room, "c2", target, "second"));
			long position = accepted(anna, "c2");
			anna.expectReceipt(anna.edit(room, "c2", target, "second"));
			assertThat(this.server.user("anna")
				.edit(room, target, "c2", "other")
				.expect(202)
				.body()
				.path("position")
				.asLong()).isEqualTo(position);
			this.server.user("anna").say(room, "end", "end");
			bert.expectMessage("s", "end");
			List<JsonNode> events = bert.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(events, start);
			assertThat(events).extracting((event) -> event.path("type").asString())
				.containsExactly("message.posted", "message.edited", "message.posted");
			JsonNode edit = events.get(1);
			assertThat(edit.path("position").asLong()).isEqualTo(position);
			assertThat(edit.path("target").asLong()).isEqualTo(target);
			assertThat(edit.path("text").asString()).isEqualTo("second");
			assertThat(edit.path("sender").asString()).isEqualTo("anna");
			assertThat(edit.path("clientId").asString()).isEqualTo("c2");
			List<JsonNode> feed = this.server.user("bert").history(room, "?after=" + start);
			assertThat(feed).extracting((event) -> event.path("number").asInt()).containsExactly(1, 1, 2);
			assertThat(feed.get(1).path("text").asString()).isEqualTo("second");
			assertThat(this.server.user("bert").listed(room).path("unread").asInt()).isEqualTo(2);
		}
	}

	private static long accepted(StompConnection connection, String clientId) {
		return connection
			.expectEvent("me",
					(event) -> event.path("type").asString().equals("accepted")
							&& event.path("clientId").asString().equals(clientId))
			.path("position")
			.asLong();
	}

	@Test
	void theLastOneWinsAndOthersAreStubs() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "first");
		anna.edit(room, target, "c2", "second").expect(202);
		anna.edit(room, target, "c3", "third").expect(202);
		List<JsonNode> feed = this.server.user("bert").history(room, "?after=" + (target - 1));
		assertThat(feed.get(1).path("superseded").asBoolean()).isTrue();
		assertThat(feed.get(1).has("text")).isFalse();
		assertThat(feed.get(2).path("text").asString()).isEqualTo("third");
		JsonNode last = this.server.user("bert").listed(room).path("lastEvent");
		assertThat(last.path("text").asString()).isEqualTo("third");
		assertThat(last.has("deleted")).isFalse();
	}

	@Test
	void onlyTheAuthorMayEdit() {
		String room = this.server.room("anna", "bert");
		long target = this.server.user("bert").say(room, "c1", "first");
		assertThat(this.server.user("anna").edit(room, target, "c2", "second").expect(403).code())
			.isEqualTo("not-allowed");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("/app/rooms." + room + ".edit",
					"{\"clientId\":\"c3\",\"target\":" + target + ",\"text\":\"second\"}");
			assertThat(error.path("code").asString()).isEqualTo("not-allowed");
			assertThat(error.path("clientId").asString()).isEqualTo("c3");
		}
		assertThat(this.server.user("anna").history(room, "?after=" + target)).isEmpty();
	}

	@Test
	void theTargetMustBeAMessageOfTheRoom() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long created = anna.history(room, "").getFirst().path("position").asLong();
		long other = anna.say(this.server.room("anna"), "c", "text");
		for (long target : new long[] { created, other, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE, created + 100_000 }) {
			assertThat(anna.edit(room, target, "c1", "text").expect(404).code()).isEqualTo("not-found");
		}
		long target = anna.say(room, "c2", "text");
		long edit = anna.edit(room, target, "c3", "text").expect(202).body().path("position").asLong();
		assertThat(anna.edit(room, edit, "c4", "text").expect(404).code()).isEqualTo("not-found");
	}

	@Test
	void aClientIdIsForOneThing() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "first");
		assertThat(anna.edit(room, target, "c1", "second").expect(400).code()).isEqualTo("bad-message");
		anna.edit(room, target, "c2", "second").expect(202);
		assertThat(
				anna.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c2", "text", "t")).expect(400).code())
			.isEqualTo("bad-message");
		assertThat(anna.history(room, "?after=" + target)).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "[]", "{\"clientId\":\"c\"}", "{\"clientId\":\"c\",\"text\":\"\"}",
			"{\"clientId\":\"c\",\"text\":7}", "{\"text\":\"t\"}", "{\"clientId\":\"c\",\"text\":\"t\",\"own\":1}",
			"{\"clientId\":\"c\",\"text\":\"t\",\"target\":5}",
			"{\"clientId\":\"c\",\"text\":\"t\",\"deleted\":true}" })
	void refusesABodyThatIsNoEdit(String body) {
		String room = this.server.room("anna");
		long target = this.server.user("anna").say(room, "c1", "first");
		assertThat(this.server.user("anna")
			.exchange("PATCH", "/api/rooms/" + room + "/messages/" + target, body)
			.expect(400)
			.code()).isEqualTo("bad-message");
	}

	@ParameterizedTest
	@ValueSource(strings = { "\"5\"", "1.5", "1e3", "null", "99999999999999999999", "{}" })
	void refusesATargetThatIsNoPosition(String target) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna
				.expectError("/app/rooms." + room + ".edit",
						"{\"clientId\":\"c\",\"text\":\"t\",\"target\":" + target + "}")
				.path("code")
				.asString()).isEqualTo("bad-message");
		}
	}

	@Test
	void limitsTheTextLikeThatOfAMessage() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "first");
		assertThat(anna.edit(room, target, "c2", "x".repeat(16_384)).expect(413).code()).isEqualTo("message-too-large");
		anna.edit(room, target, "c3", "\u00fc\ud83d\udc4b\"\\\n".repeat(500)).expect(202);
		assertThat(anna.view(room, "").getLast().path("text").asString())
			.isEqualTo("\u00fc\ud83d\udc4b\"\\\n".repeat(500));
	}

	@Test
	void aMessageHasALimitOfEditsAndOfWhatViewsReadOver() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long before = anna.say(room, "c1", "before");
		long target = anna.say(room, "c2", "0");
		for (int i = 1; i <= 100; i++) {
			anna.edit(room, target, "e" + i, String.valueOf(i)).expect(202);
		}
		assertThat(anna.edit(room, target, "e101", "101").expect(409).code()).isEqualTo("too-late");
		long after = anna.say(room, "c3", "after");
		assertThat(anna.edit(room, target, "e100", "100").expect(202).body().path("position").asLong())
			.isLessThan(after);
		assertThat(anna.view(room, "&limit=3")).extracting((view) -> view.path("text").asString())
			.containsExactly("before", "100", "after");
		assertThat(anna.view(room, "&limit=2&after=" + before)).extracting((view) -> view.path("position").asLong())
			.containsExactly(target, after);
		anna.deleteMessage(room, target).expect(202);
	}

	@Test
	void keepsTheOwnFieldsOfTheMessage() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		anna.exchange("POST", "/api/rooms/" + room + "/messages",
				"{\"clientId\":\"c1\",\"text\":\"first\",\"own\":1e400}")
			.expect(202);
		long target = anna.view(room, "").getLast().path("position").asLong();
		anna.edit(room, target, "c2", "second").expect(202);
		String view = anna.get("/api/rooms/" + room + "/messages?view=messages").response().body();
		assertThat(view).contains("\"own\":1e400", "\"text\":\"second\"").doesNotContain("first");
	}

}
