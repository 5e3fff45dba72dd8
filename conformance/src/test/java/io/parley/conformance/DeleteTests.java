package io.parley.conformance;

import java.util.List;
import java.util.Map;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests the deletion of messages, over STOMP and HTTP. */
@UnlimitedServer
class DeleteTests {

	private static final String SECRET = "secret of the deleted message";

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	DeleteTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@FanOut
	@Test
	void theTextIsNowhere() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long start = anna.history(room, "").getLast().path("position").asLong();
		long target = anna.say(room, "c1", SECRET);
		anna.edit(room, target, "c2", SECRET + " 2").expect(202);
		anna.edit(room, target, "c3", SECRET + " 3").expect(202);
		anna.deleteMessage(room, target).expect(202);
		assertNowhere(room, start, target);
		await().until(() -> this.jdbc.queryForObject("SELECT COUNT(*) FROM message_state WHERE room_id = ? AND deleted",
				Integer.class, room) == 1);
		assertNowhere(room, start, target);
		assertThat(this.jdbc.queryForList("SELECT body FROM room_event WHERE room_id = ?", String.class, room))
			.noneMatch((body) -> body.contains(SECRET));
		assertThat(this.jdbc.queryForList("SELECT text FROM message_state WHERE room_id = ?", room))
			.containsExactly(java.util.Collections.singletonMap("TEXT", null));
		assertThat(this.jdbc.queryForObject("SELECT deletes FROM room_head WHERE room_id = ?", Integer.class, room))
			.isEqualTo(1);
	}

	private void assertNowhere(String room, long start, long target) {
		ChatApi bert = this.server.user("bert");
		try (StompConnection late = this.server.connect("bert")) {
			late.follow("s", room, 0);
			List<JsonNode> replayed = late.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(replayed, 0);
			assertThat(replayed.toString()).doesNotContain(SECRET);
			List<JsonNode> feed = bert.history(room, "?after=" + start);
			Chain.assertUnbroken(feed, start);
			assertThat(feed).hasSize(4);
			assertThat(feed.getFirst().path("type").asString()).isEqualTo("message.posted");
			assertThat(feed.getFirst().path("text").asString("missing")).isEmpty();
			assertThat(feed.getFirst().path("deleted").asBoolean()).isTrue();
			assertThat(feed.subList(1, 3)).allMatch((edit) -> edit.path("superseded").asBoolean());
			assertThat(feed.getLast().path("type").asString()).isEqualTo("message.deleted");
			assertThat(feed.getLast().path("as").asString()).isEqualTo("author");
		}
		for (String query : List.of("", "?after=0", "?before=" + Long.MAX_VALUE, "?view=messages",
				"?view=messages&changedAfter=0", "?limit=1&after=" + (target - 1))) {
			assertThat(bert.get("/api/rooms/" + room + "/messages" + query).expect(200).response().body())
				.doesNotContain(SECRET);
		}
		JsonNode last = bert.listed(room).path("lastEvent");
		assertThat(last.path("text").asString("missing")).isEmpty();
		assertThat(last.path("deleted").asBoolean()).isTrue();
	}

	@FanOut
	@Test
	void isDeliveredOnceAndNamesOnePositionWhenItIsRepeated() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connect("bert")) {
			long start = bert.follow("s", room).path("head").asLong();
			long target = this.server.user("anna").say(room, "c1", "text");
			anna.expectReceipt(anna.delete(room, "c2", target));
			anna.expectReceipt(anna.delete(room, "c2", target));
			this.server.user("anna").say(room, "end", "end");
			bert.expectMessage("s", "end");
			List<JsonNode> events = bert.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(events, start);
			assertThat(events).extracting((event) -> event.path("type").asString())
				.containsExactly("message.posted", "message.deleted", "message.posted");
			assertThat(anna.events("me")
				.stream()
				.filter((event) -> event.path("clientId").asString("").equals("c2"))
				.map((event) -> event.path("position").asLong())
				.distinct()).containsExactly(events.get(1).path("position").asLong());
		}
	}

	@Test
	void aModeratorMayDeleteWithAReasonAndAMemberMayNot() {
		String room = this.server.room("anna", "bert", "cleo");
		long target = this.server.user("anna").say(room, "c1", "text");
		assertThat(this.server.user("cleo").deleteMessage(room, target).expect(403).code()).isEqualTo("not-allowed");
		this.server.user("anna").changeRole(room, "bert", "moderator").expect(200);
		this.server.user("bert")
			.exchange("DELETE", "/api/rooms/" + room + "/messages/" + target,
					"{\"clientId\":\"d\",\"reason\":\"rude\"}")
			.expect(202);
		JsonNode deleted = this.server.user("cleo").history(room, "").getLast();
		assertThat(deleted.path("as").asString()).isEqualTo("moderator");
		assertThat(deleted.path("reason").asString()).isEqualTo("rude");
		assertThat(deleted.path("sender").asString()).isEqualTo("bert");
		assertThat(this.server.user("cleo").view(room, "").getLast().path("sender").asString()).isEqualTo("anna");
	}

	@Test
	void nothingFollowsADeletion() {
		String room = this.server.room("anna", "bert");
		ChatApi bert = this.server.user("bert");
		long target = bert.say(room, "c1", "text");
		this.server.user("anna").deleteMessage(room, target).expect(202);
		long head = bert.history(room, "").getLast().path("position").asLong();
		assertThat(bert.edit(room, target, "c2", "again").expect(409).code()).isEqualTo("message-deleted");
		assertThat(bert.deleteMessage(room, target).expect(409).code()).isEqualTo("message-deleted");
		assertThat(this.server.user("anna").deleteMessage(room, target).expect(202).body().path("position").asLong())
			.as("the same deletion")
			.isEqualTo(head);
		assertThat(bert.history(room, "?after=" + head)).isEmpty();
	}

	@Test
	void whoMayNotWriteMayNotChange() {
		String room = this.server.room("anna", "bert");
		ChatApi bert = this.server.user("bert");
		long target = bert.say(room, "c1", "text");
		this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
		assertThat(bert.edit(room, target, "c2", "text").expect(403).code()).isEqualTo("not-allowed");
		assertThat(bert.deleteMessage(room, target).expect(403).code()).isEqualTo("not-allowed");
		this.server.user("anna").leave(room, "bert").expect(204);
		assertThat(bert.edit(room, target, "c2", "text").expect(403).code()).isEqualTo("not-a-member");
		assertThat(bert.deleteMessage(room, target).expect(403).code()).isEqualTo("not-a-member");
	}

	@Test
	void aDirectRoomHasNoModerator() {
		this.server.user("bert");
		ChatApi anna = this.server.user("anna");
		String room = anna.openDirect("bert");
		long target = this.server.user("bert").say(room, "d" + System.nanoTime(), "text");
		assertThat(anna.deleteMessage(room, target).expect(403).code()).isEqualTo("not-allowed");
		this.server.user("bert").deleteMessage(room, target).expect(202);
	}

	@Test
	void needsNoClientId() {
		String room = this.server.room("anna");
		long target = this.server.user("anna").say(room, "c", "text");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".delete"),
					"{\"target\":" + target + "}");
			anna.expectEvent("me", (event) -> event.path("type").asString().equals("accepted")
					&& event.path("clientId").asString().equals("delete-" + target));
		}
	}

	@Test
	void refusesWhatIsNoDeletion() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		String path = "/api/rooms/" + room + "/messages/";
		long target = anna.say(room, "c", "text");
		for (String body : List.of("[]", "{", "{\"text\":\"t\"}", "{\"reason\":1}", "{\"reason\":\"\"}",
				"{\"clientId\":\"\"}", "{\"clientId\":\"" + "x".repeat(65) + "\"}", "{\"target\":" + target + "}")) {
			assertThat(anna.exchange("DELETE", path + target, body).expect(400).code()).as(body)
				.isEqualTo("bad-message");
		}
		assertThat(anna.exchange("DELETE", path + target, "{\"reason\":\"" + "x".repeat(16_384) + "\"}")
			.expect(413)
			.code()).isEqualTo("message-too-large");
		for (String position : List.of("x", "1.5", "9".repeat(30))) {
			assertThat(anna.delete(path + position).expect(400).code()).isEqualTo("bad-request");
			assertThat(anna.edit(room, 0, "e", "t").expect(404).code()).isEqualTo("not-found");
		}
		assertThat(anna.view(room, "").getLast().path("text").asString()).isEqualTo("text");
		assertThat(anna.delete(path + target).expect(202).body().path("clientId").asString())
			.isEqualTo("delete-" + target);
	}

	@Test
	void aClientMayNotPretendADeletion() {
		String room = this.server.room("anna");
		for (String field : List.of("deleted", "edited", "changed", "superseded")) {
			assertThat(this.server.user("anna")
				.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c", "text", "t", field, true))
				.expect(400)
				.code()).isEqualTo("bad-message");
		}
	}

}
