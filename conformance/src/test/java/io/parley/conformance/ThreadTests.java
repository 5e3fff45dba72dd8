package io.parley.conformance;

import java.util.ArrayList;
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

/** Tests answers and threads, over STOMP and HTTP. */
@UnlimitedServer
class ThreadTests {

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	ThreadTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@Test
	void anAnswerNamesAPosition() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long first = anna.say(room, "c1", "question");
		long answer = post(anna, room, Map.of("clientId", "c2", "text", "answer", "replyTo", first));
		for (JsonNode event : List.of(anna.history(room, "").getLast(), anna.view(room, "").getLast())) {
			assertThat(event.path("type").asString()).isEqualTo("message.posted");
			assertThat(event.path("replyTo").asLong()).isEqualTo(first);
			assertThat(event.path("number").asLong()).isEqualTo(2);
			assertThat(event.toString()).doesNotContain("question");
		}
		anna.edit(room, answer, "c3", "other answer").expect(202);
		awaitStored(room, answer);
		assertThat(anna.view(room, "").getLast().path("replyTo").asLong()).isEqualTo(first);
		assertThat(anna.view(room, "").getLast().path("text").asString()).isEqualTo("other answer");
		assertThat(anna.history(room, "?after=" + first).getFirst().path("replyTo").asLong()).isEqualTo(first);
	}

	@Test
	void refusesWhatIsNoAnswerOrReply() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long created = anna.history(room, "").getFirst().path("position").asLong();
		long deleted = anna.say(room, "c1", "deleted");
		anna.deleteMessage(room, deleted).expect(202);
		long root = anna.say(room, "c2", "root");
		long reply = reply(anna, room, root, "c3", "reply");
		long head = anna.history(room, "").getLast().path("position").asLong();
		for (String field : List.of("replyTo", "thread")) {
			for (Object position : List.of(0, -1, "1", 1.5, true, List.of())) {
				assertRefused(anna, room, field, position, 400, "bad-message");
			}
			for (long position : new long[] { created, head + 1_000_000, Long.MAX_VALUE }) {
				assertRefused(anna, room, field, position, 404, "not-found");
			}
			assertRefused(anna, room, field, deleted, 409, "message-deleted");
		}
		assertRefused(anna, room, "thread", reply, 400, "bad-message");
		String threads = "/api/rooms/" + room + "/threads/";
		assertThat(anna.post(threads + root + "/messages", Map.of("clientId", "x", "text", "t", "thread", root))
			.expect(400)
			.code()).isEqualTo("bad-message");
		for (long position : new long[] { 0, -1, created, head + 1_000_000, Long.MAX_VALUE }) {
			assertNoThread(anna, threads + position);
		}
		for (String position : List.of("1.5", "abc", "9223372036854775808")) {
			anna.get(threads + position + "/messages").expect(400);
			anna.post(threads + position + "/messages", Map.of("clientId", "x", "text", "t")).expect(400);
		}
		assertThat(anna.get(threads + reply + "/messages").expect(400).code()).isEqualTo("bad-message");
		assertThat(anna.put(threads + root + "/read", Map.of("position", head + 1_000_000)).expect(400).code())
			.isEqualTo("bad-position");
		assertThat(anna.history(room, "?after=" + head)).isEmpty();
		assertThat(post(anna, room, Map.of("clientId", "c4", "text", "t", "replyTo", reply))).isGreaterThan(head);
	}

	private static void assertNoThread(ChatApi user, String thread) {
		for (ChatApi.Answer answer : List.of(user.get(thread + "/messages"),
				user.post(thread + "/messages", Map.of("clientId", "x", "text", "t")),
				user.put(thread + "/read", Map.of("position", 0)), user.put(thread + "/follow", ""),
				user.delete(thread + "/follow"))) {
			assertThat(answer.expect(404).code()).as(thread).isEqualTo("not-found");
		}
	}

	private static void assertRefused(ChatApi user, String room, String field, Object position, int status,
			String code) {
		assertThat(user.post("/api/rooms/" + room + "/messages", Map.of("clientId", "x", "text", "t", field, position))
			.expect(status)
			.code()).as("%s %s", field, position).isEqualTo(code);
	}

	@Test
	@FanOut
	void aReplyIsDeliveredOnceAndChangesItsRoot() {
		String room = this.server.room("anna", "bert", "cleo");
		long root = this.server.user("anna").say(room, "c1", "root");
		try (StompConnection bert = this.server.connectWithEvents("bert");
				StompConnection cleo = this.server.connect("cleo")) {
			long start = cleo.follow("s", room).path("head").asLong();
			String reply = "{\"clientId\":\"c2\",\"text\":\"reply\",\"mood\":\"fine\",\"thread\":" + root + "}";
			bert.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send"), reply);
			bert.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send"), reply);
			long second = reply(this.server.user("anna"), room, root, "c3", "second");
			this.server.user("anna").react(room, second, ":a:", true).expect(202);
			this.server.user("anna").edit(room, second, "c4", "edited").expect(202);
			this.server.user("anna").say(room, "end", "end");
			cleo.expectMessage("s", "end");
			List<JsonNode> events = cleo.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(events, start);
			assertThat(events).extracting((event) -> event.path("type").asString())
				.containsExactly("thread.posted", "thread.posted", "reaction.changed", "message.edited",
						"message.posted");
			assertThat(events.subList(0, 4)).allMatch((event) -> event.path("thread").asLong() == root);
			assertThat(events.getFirst().path("mood").asString()).isEqualTo("fine");
			assertThat(bert.events("me")
				.stream()
				.filter((event) -> event.path("clientId").asString("").equals("c2"))
				.map((event) -> event.path("position").asLong())
				.distinct()).containsExactly(events.getFirst().path("position").asLong());
			assertView(room, root, second);
			awaitStored(room, events.getLast().path("position").asLong());
			assertView(room, root, second);
			List<JsonNode> feed = this.server.user("bert").history(room, "?after=" + start);
			Chain.assertUnbroken(feed, start);
			assertThat(feed).extracting((event) -> event.path("number").asLong()).containsExactly(1L, 1L, 1L, 1L, 2L);
		}
	}

	private void assertView(String room, long root, long second) {
		ChatApi bert = this.server.user("bert");
		List<JsonNode> messages = bert.view(room, "");
		assertThat(messages).extracting((message) -> message.path("text").asString()).containsExactly("root", "end");
		JsonNode thread = messages.getFirst().path("thread");
		assertThat(thread.path("replies").asInt()).isEqualTo(2);
		assertThat(thread.path("lastPosition").asLong()).isEqualTo(second);
		assertThat(thread.path("users").toString()).isEqualTo("[\"anna\",\"bert\"]");
		assertThat(messages.getFirst().path("changed").asLong()).isEqualTo(second);
		assertThat(messages.getLast().has("thread")).isFalse();
		List<JsonNode> changed = bert.view(room, "&changedAfter=" + root);
		assertThat(Chain.positions(changed)).containsExactly(root, second);
		assertThat(changed.getLast().path("thread").asLong()).isEqualTo(root);
		JsonNode page = thread(bert, room, root, "");
		assertThat(texts(page)).containsExactly("reply", "edited");
		assertThat(page.path("root").path("text").asString()).isEqualTo("root");
		assertThat(page.path("root").path("thread")).isEqualTo(thread);
		assertThat(page.path("messages").get(1).path("reactions").path(":a:").path("n").asInt()).isOne();
		assertThat(page.path("messages").get(1).path("edited").asBoolean()).isTrue();
		assertThat(page.path("messages").get(0).has("number")).isFalse();
		assertThat(bert.listed(room).path("lastEvent").path("text").asString()).isEqualTo("end");
	}

	@Test
	void pagesAThread() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long root = anna.say(room, "root", "root");
		long other = anna.say(room, "other", "other");
		List<Long> replies = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			if (i == 3) {
				awaitStored(room, replies.getLast());
			}
			replies.add(reply(anna, room, root, "r" + i, "reply " + i));
			reply(anna, room, other, "o" + i, "other " + i);
		}
		for (int round = 0; round < 2; round++) {
			assertThat(texts(thread(anna, room, root, "?limit=2"))).containsExactly("reply 4", "reply 5");
			assertThat(texts(thread(anna, room, root, "?limit=2&before=" + replies.get(4)))).containsExactly("reply 2",
					"reply 3");
			assertThat(texts(thread(anna, room, root, "?limit=3&after=0"))).containsExactly("reply 0", "reply 1",
					"reply 2");
			assertThat(texts(thread(anna, room, root, "?after=" + replies.get(3)))).containsExactly("reply 4",
					"reply 5");
			assertThat(texts(thread(anna, room, root, "?after=" + replies.get(5)))).isEmpty();
			awaitStored(room, replies.getLast());
		}
		assertThat(
				anna.get("/api/rooms/" + room + "/threads/" + root + "/messages?before=1&after=1").expect(400).code())
			.isEqualTo("bad-request");
	}

	@Test
	@FanOut
	void followersHaveUnreadRepliesOnAllDevices() {
		String room = this.server.room("anna", "bert", "cleo");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		long root = anna.say(room, "c1", "root");
		await().until(() -> bert.listed(room).path("unread").asInt() == 1);
		try (StompConnection one = this.server.connectWithEvents("anna");
				StompConnection two = this.server.connectWithEvents("anna");
				StompConnection cleo = this.server.connectWithEvents("cleo")) {
			long reply = reply(bert, room, root, "c2", "reply");
			for (int round = 0; round < 2; round++) {
				assertThat(unread(anna, room, root)).as("the author of the root").isEqualTo(1);
				assertThat(unread(bert, room, root)).as("who replied").isZero();
				assertThat(bert.get("/api/me/threads").expect(200).body().path("threads").size()).isPositive();
				assertThat(thread(this.server.user("cleo"), room, root, "").path("following").asBoolean(true))
					.isFalse();
				assertThat(thread(this.server.user("cleo"), room, root, "").path("unread").asInt(-1)).isZero();
				assertThat(bert.listed(room).path("unread").asInt()).as("of the room").isEqualTo(1);
				awaitStored(room, reply);
			}
			expectUnread(one, root, 1);
			expectUnread(two, root, 1);
			read(anna, room, root, reply);
			expectUnread(one, root, 0);
			expectUnread(two, root, 0);
			assertThat(unread(anna, room, root)).isZero();
			long second = reply(bert, room, root, "c3", "second");
			reply(bert, room, root, "c4", "third");
			expectUnread(one, root, 2);
			bert.deleteMessage(room, second).expect(202);
			expectUnread(two, root, 1);
			assertThat(unread(anna, room, root)).isEqualTo(1);
			anna.put("/api/rooms/" + room + "/read", Map.of("position", second)).expect(204);
			assertThat(unread(anna, room, root)).as("reading the room does not read its threads").isEqualTo(1);
			anna.put("/api/rooms/" + room + "/read", Map.of("position", second, "threads", true)).expect(204);
			assertThat(unread(anna, room, root)).as("up to the deleted one").isEqualTo(1);
			long newest = bert.history(room, "").getLast().path("position").asLong();
			anna.put("/api/rooms/" + room + "/read", Map.of("position", newest, "threads", true)).expect(204);
			assertThat(unread(anna, room, root)).isZero();
			expectUnread(two, root, 0);
			long last = reply(anna, room, root, "c5", "own");
			for (int round = 0; round < 2; round++) {
				assertThat(unread(anna, room, root)).as("who replies has read").isZero();
				assertThat(unread(bert, room, root)).isEqualTo(1);
				awaitStored(room, last);
			}
			assertThat(cleo.events("me")).noneMatch((event) -> event.path("type").asString().equals("thread.changed"));
		}
	}

	@Test
	void followsAndUnfollows() {
		String room = this.server.room("anna", "bert", "cleo");
		ChatApi anna = this.server.user("anna");
		ChatApi cleo = this.server.user("cleo");
		long root = anna.say(room, "c1", "root");
		String follow = "/api/rooms/" + room + "/threads/" + root + "/follow";
		reply(anna, room, root, "c2", "before");
		try (StompConnection events = this.server.connectWithEvents("cleo")) {
			cleo.put(follow, "").expect(204);
			expectUnread(events, root, 0);
			cleo.put(follow, "").expect(204);
			assertThat(unread(cleo, room, root)).as("what was before is read").isZero();
			reply(anna, room, root, "c3", "after");
			assertThat(unread(cleo, room, root)).isEqualTo(1);
			expectUnread(events, root, 1);
			cleo.delete(follow).expect(204);
			cleo.delete(follow).expect(204);
			events.expectEvent("me", (event) -> event.path("type").asString().equals("thread.changed")
					&& !event.path("following").asBoolean(true) && event.path("unread").asInt() == 0);
			assertThat(unread(cleo, room, root)).as("not followed").isEqualTo(-1);
		}
		long last = reply(cleo, room, root, "c4", "again");
		assertThat(unread(cleo, room, root)).as("who replies follows again").isZero();
		awaitStored(room, last);
		assertThat(unread(cleo, room, root)).isZero();
		cleo.delete(follow).expect(204);
		assertThat(unread(cleo, room, root)).isEqualTo(-1);
		assertThat(unread(anna, room, root)).isEqualTo(1);
		anna.leave(room, "cleo").expect(204);
		cleo.get("/api/rooms/" + room + "/threads/" + root + "/messages").expect(403);
		anna.join(room, "cleo").expect(201);
		reply(cleo, room, root, "c5", "back");
		assertThat(unread(cleo, room, root)).isZero();
		cleo.leave(room, "cleo").expect(204);
		assertThat(unread(cleo, room, root)).as("not a member").isEqualTo(-1);
	}

	@Test
	void followedMessagesWithoutRepliesDoNotHideThreads() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		List<Long> roots = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			roots.add(anna.say(room, "c" + i, "text"));
			bert.put("/api/rooms/" + room + "/threads/" + roots.get(i) + "/follow", "").expect(204);
		}
		long last = reply(anna, room, roots.get(2), "r", "reply");
		for (int round = 0; round < 2; round++) {
			JsonNode listed = bert.get("/api/me/threads?limit=1").expect(200).body().path("threads");
			assertThat(listed.size()).isOne();
			assertThat(listed.path(0).path("root").asLong()).isEqualTo(roots.get(2));
			assertThat(listed.path(0).path("unread").asLong()).isOne();
			awaitStored(room, last);
		}
	}

	@Test
	void aDeletedRootKeepsItsThread() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		long root = anna.say(room, "c1", "root");
		reply(bert, room, root, "c2", "first");
		long second = reply(bert, room, root, "c3", "second");
		long deletion = anna.deleteMessage(room, root).expect(202).body().path("position").asLong();
		long third = reply(bert, room, root, "c4", "third");
		bert.deleteMessage(room, second).expect(202);
		for (int round = 0; round < 2; round++) {
			JsonNode page = thread(bert, room, root, "");
			assertThat(page.path("root").path("deleted").asBoolean()).isTrue();
			assertThat(page.path("root").path("text").asString("missing")).isEmpty();
			assertThat(page.path("root").path("thread").path("replies").asInt()).isEqualTo(2);
			assertThat(page.path("root").path("thread").path("lastPosition").asLong()).isEqualTo(third);
			assertThat(texts(page)).containsExactly("first", "", "third");
			assertThat(bert.view(room, "")).hasSize(1).first().isEqualTo(page.path("root"));
			assertThat(unread(anna, room, root)).isEqualTo(2);
			List<JsonNode> feed = bert.history(room, "?after=" + root);
			assertThat(feed.get(2).path("position").asLong()).isEqualTo(deletion);
			assertThat(feed.get(2).path("as").asString()).as("the deletion is shown").isEqualTo("author");
			assertThat(feed.get(1).path("text").asString("missing")).as("the deleted reply").isEmpty();
			List<JsonNode> changed = new ArrayList<>();
			for (List<JsonNode> next = bert.view(room, "&limit=1&changedAfter=0"); !next.isEmpty(); next = bert
				.view(room, "&limit=1&changedAfter=" + changed.getLast().path("changed").asLong())) {
				changed.addAll(next);
			}
			assertThat(Chain.positions(changed)).as("one deletion changes both")
				.containsExactlyInAnyOrder(root, second);
			awaitStored(room, bert.history(room, "").getLast().path("position").asLong());
		}
		assertThat(anna.listed(room).path("unread").asInt()).isZero();
	}

	@Test
	void repliesAreNotUnreadInTheRoom() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		List<Long> unread = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			unread.add(anna.say(room, "c" + i, "text"));
		}
		long reply = reply(anna, room, unread.getFirst(), "r1", "reply");
		reply(anna, room, unread.getFirst(), "r2", "reply");
		anna.react(room, unread.get(1), ":a:", true).expect(202);
		anna.edit(room, unread.get(2), "e", "edited").expect(202);
		anna.deleteMessage(room, unread.get(3)).expect(202);
		long last = anna.deleteMessage(room, reply).expect(202).body().path("position").asLong();
		assertThat(bert.listed(room).path("unread").asInt()).isEqualTo(3);
		awaitStored(room, last);
		assertThat(bert.listed(room).path("unread").asInt()).isEqualTo(3);
		assertThat(this.jdbc.queryForObject("SELECT deletes FROM room_head WHERE room_id = ?", Integer.class, room))
			.isOne();
		for (int i = 0; i < 10; i++) {
			reply(anna, room, unread.getFirst(), "m" + i, "reply");
		}
		assertThat(bert.listed(room).path("lastEvent").path("deleted").asBoolean()).as("the last of the room").isTrue();
	}

	private static long post(ChatApi user, String room, Map<String, Object> message) {
		return user.post("/api/rooms/" + room + "/messages", message).expect(202).body().path("position").asLong();
	}

	private static long reply(ChatApi user, String room, long root, String clientId, String text) {
		return user
			.post("/api/rooms/" + room + "/threads/" + root + "/messages", Map.of("clientId", clientId, "text", text))
			.expect(202)
			.body()
			.path("position")
			.asLong();
	}

	private static JsonNode thread(ChatApi user, String room, long root, String query) {
		return user.get("/api/rooms/" + room + "/threads/" + root + "/messages" + query).expect(200).body();
	}

	private static List<String> texts(JsonNode page) {
		List<String> texts = new ArrayList<>();
		page.path("messages").forEach((message) -> texts.add(message.path("text").asString()));
		return texts;
	}

	private static void read(ChatApi user, String room, long root, long position) {
		user.put("/api/rooms/" + room + "/threads/" + root + "/read", Map.of("position", position)).expect(204);
	}

	/** Returns the unread replies of a thread; -1 if the user does not follow it. */
	private static int unread(ChatApi user, String room, long root) {
		for (JsonNode thread : user.get("/api/me/threads").expect(200).body().path("threads")) {
			if (thread.path("root").asLong() == root && thread.path("room").asString().equals(room)) {
				return thread.path("unread").asInt();
			}
		}
		return -1;
	}

	private static void expectUnread(StompConnection connection, long root, int unread) {
		connection.expectEvent("me", (event) -> event.path("type").asString().equals("thread.changed")
				&& event.path("thread").asLong() == root && event.path("unread").asInt(-1) == unread);
	}

	private void awaitStored(String room, long position) {
		await()
			.until(() -> this.jdbc.queryForObject("SELECT COUNT(*) FROM room_event WHERE room_id = ? AND position = ?",
					Integer.class, room, position) == 1);
	}

}
