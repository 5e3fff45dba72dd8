package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.MessageCopy;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the view of messages in their current state, on a server that keeps hardly any
 * events in memory: most are read from the store, or from the log.
 */
@ProtocolTest(
		properties = { "chat.limits.sends-per-second=0", "chat.limits.reactions-per-second=0", "chat.history.tail=8KB",
				"chat.history.replay=200", "chat.limits.rooms-per-minute=0", "chat.limits.subscribes-per-second=0" })
class StateViewTests {

	private final ChatServer server;

	StateViewTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void showsTheStateOfEachMessage() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long plain = anna.say(room, "c1", "plain");
		long edited = anna.say(room, "c2", "first");
		long deleted = anna.say(room, "c3", "gone");
		long edit = anna.edit(room, edited, "e1", "second").expect(202).body().path("position").asLong();
		long delete = anna.deleteMessage(room, deleted).expect(202).body().path("position").asLong();
		List<JsonNode> views = this.server.user("bert").view(room, "");
		assertThat(views).extracting((view) -> view.path("position").asLong()).containsExactly(plain, edited, deleted);
		assertThat(views).extracting((view) -> view.path("number").asInt()).containsExactly(1, 2, 3);
		assertThat(views).extracting((view) -> view.path("changed").asLong()).containsExactly(plain, edit, delete);
		assertThat(views).extracting((view) -> view.path("text").asString()).containsExactly("plain", "second", "");
		assertThat(views).extracting((view) -> view.path("edited").asBoolean(false))
			.containsExactly(false, true, false);
		assertThat(views).extracting((view) -> view.path("deleted").asBoolean(false))
			.containsExactly(false, false, true);
		assertThat(views).allMatch((view) -> view.path("type").asString().equals("message.posted"));
	}

	@Test
	void pagesInBothDirectionsOverOtherEvents() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			positions.add(anna.say(room, "c" + i, "text"));
			for (int j = 0; j < 10; j++) {
				anna.edit(room, positions.get(i / 3), "e" + i + "-" + j, "edit " + i).expect(202);
			}
		}
		List<Long> forwards = new ArrayList<>();
		for (List<JsonNode> page = anna.view(room, "&after=0&limit=3"); !page.isEmpty(); page = anna.view(room,
				"&limit=3&after=" + forwards.getLast())) {
			assertThat(page).hasSizeLessThanOrEqualTo(3);
			forwards.addAll(Chain.positions(page));
		}
		assertThat(forwards).isEqualTo(positions);
		List<Long> backwards = new ArrayList<>();
		for (List<JsonNode> page = anna.view(room, "&limit=7"); !page.isEmpty(); page = anna.view(room,
				"&limit=7&before=" + backwards.getFirst())) {
			backwards.addAll(0, Chain.positions(page));
		}
		assertThat(backwards).isEqualTo(positions);
	}

	@Test
	void theFoldOfAReplayIsTheView() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			positions.add(anna.say(room, "c" + i, "text " + i));
		}
		MessageCopy copy = new MessageCopy();
		try (StompConnection bert = this.server.connect("bert")) {
			bert.follow("s", room, 0);
			copy.events(bert.events("s"));
		}
		for (int i = 0; i < 50; i++) {
			long target = positions.get(i * 7 % 20);
			if (i % 5 == 4) {
				anna.deleteMessage(room, target);
			}
			else {
				anna.edit(room, target, "e" + i, "edit " + i);
			}
		}
		try (StompConnection bert = this.server.connect("bert")) {
			assertThat(bert.follow("s", room, positions.getLast()).path("recovered").asBoolean()).isTrue();
			List<JsonNode> replayed = bert.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(replayed, positions.getLast());
			copy.events(replayed);
		}
		assertThat(copy.messages()).isEqualTo(new MessageCopy().views(anna.view(room, "&limit=200")).messages());
	}

	/** First most of it is in memory or in the log, then all of it is stored only. */
	@Test
	void showsReactionsWhereverTheyAreReadFrom() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		long reacted = anna.say(room, "c1", "text");
		long both = anna.say(room, "c2", "first");
		long deleted = anna.say(room, "c3", "text");
		anna.react(room, reacted, ":a:", true).expect(202);
		bert.react(room, reacted, ":a:", true).expect(202);
		bert.react(room, both, ":b:", true).expect(202);
		anna.edit(room, both, "e1", "second").expect(202);
		anna.react(room, deleted, ":a:", true).expect(202);
		anna.deleteMessage(room, deleted).expect(202);
		for (int round = 0; round < 3; round++) {
			List<JsonNode> views = anna.view(room, "&after=0&limit=3");
			assertThat(views).extracting((view) -> view.path("reactions").toString())
				.containsExactly("{\":a:\":{\"n\":2,\"mine\":true,\"users\":[\"anna\",\"bert\"]}}",
						"{\":b:\":{\"n\":1,\"mine\":false,\"users\":[\"bert\"]}}", "");
			assertThat(anna.view(room, "&changedAfter=" + deleted)).containsExactlyElementsOf(views);
			List<JsonNode> feed = anna.history(room, "?after=0&limit=200");
			assertThat(new MessageCopy().events(feed).messages())
				.isEqualTo(new MessageCopy().views(anna.view(room, "&limit=200")).messages());
			for (int i = 0; i < 50; i++) {
				anna.say(room, "filler" + round + "-" + i, "x".repeat(100));
			}
		}
		bert.react(room, reacted, ":a:", false).expect(202);
		bert.react(room, both, ":c:", true).expect(202);
		assertThat(bert.view(room, "&after=0&limit=2")).extracting((view) -> view.path("reactions").toString())
			.containsExactly("{\":a:\":{\"n\":1,\"mine\":false,\"users\":[\"anna\"]}}",
					"{\":b:\":{\"n\":1,\"mine\":true,\"users\":[\"bert\"]},"
							+ "\":c:\":{\"n\":1,\"mine\":true,\"users\":[\"bert\"]}}");
	}

	/** First they are in memory or in the log, then they are stored only. */
	@Test
	void showsPinsWhereverTheyAreReadFrom() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long first = anna.say(room, "c1", "first");
		long second = anna.say(room, "c2", "second");
		long deleted = anna.say(room, "c3", "text");
		for (long message : List.of(second, deleted, first)) {
			anna.pin(room, message, true).expect(202);
		}
		anna.edit(room, first, "e1", "edited").expect(202);
		anna.deleteMessage(room, deleted).expect(202);
		for (int round = 0; round < 3; round++) {
			assertThat(anna.pins(room)).extracting((view) -> view.path("text").asString())
				.containsExactly("edited", "second");
			assertThat(anna.pins(room).reversed())
				.containsExactlyInAnyOrderElementsOf(anna.view(room, "&after=0&limit=2"));
			assertThat(new MessageCopy().events(anna.history(room, "?after=0&limit=200")).messages())
				.isEqualTo(new MessageCopy().views(anna.view(room, "&limit=200")).messages());
			for (int i = 0; i < 50; i++) {
				anna.say(room, "filler" + round + "-" + i, "x".repeat(100));
			}
		}
		anna.pin(room, first, false).expect(202);
		anna.pin(room, second, false).expect(202);
		anna.pin(room, second, true).expect(202);
		assertThat(anna.pins(room)).extracting((view) -> view.path("text").asString()).containsExactly("second");
	}

	@Test
	void refusesParametersThatDoNotFit() {
		String room = this.server.room("anna");
		for (String query : List.of("view=other", "view=", "changedAfter=0", "view=messages&changedAfter=0&after=0",
				"view=messages&changedAfter=x", "view=messages&after=0&before=1")) {
			assertThat(this.server.user("anna").get("/api/rooms/" + room + "/messages?" + query).expect(400).code())
				.as(query)
				.isEqualTo("bad-request");
		}
		assertThat(this.server.user("anna")
			.get("/api/rooms/" + room + "/messages?view=messages&changedAfter=-1")
			.expect(400)
			.code()).isEqualTo("bad-position");
		assertThat(this.server.user("anna").view(room, "&changedAfter=" + Long.MAX_VALUE)).isEmpty();
		assertThat(this.server.user("anna").view(room, "")).isEmpty();
		this.server.user("cleo");
		assertThat(this.server.user("cleo").get("/api/rooms/" + room + "/messages?view=messages").expect(403).code())
			.isEqualTo("not-a-member");
	}

	@Test
	void anAuthorSeesTheOwnChangeAtOnce() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c", "0");
		for (int i = 1; i <= 30; i++) {
			anna.edit(room, target, "e" + i, "" + i).expect(202);
			assertThat(anna.view(room, "").getLast().path("text").asString()).isEqualTo("" + i);
			assertThat(anna.view(room, "&changedAfter=0").getLast().path("text").asString()).isEqualTo("" + i);
			assertThat(anna.listed(room).path("lastEvent").path("text").asString()).isEqualTo("" + i);
		}
		Map<String, Object> nothing = Map.of();
		assertThat(anna.post("/api/rooms/" + room + "/messages/" + target, nothing).status()).isEqualTo(405);
	}

}
