package io.parley.conformance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests mentions of users, groups and the whole room, over STOMP and HTTP. */
@UnlimitedServer
class MentionTests {

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	MentionTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@Test
	@FanOut
	void mentionsAreDeliveredStoredAndCounted() {
		String room = this.server.room("anna", "bert", "cleo");
		ChatApi bert = this.server.user("bert");
		try (StompConnection anna = this.server.connect("anna");
				StompConnection follower = this.server.connect("cleo");
				StompConnection one = this.server.connectWithEvents("bert");
				StompConnection two = this.server.connectWithEvents("bert")) {
			follower.follow("s", room);
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send"), """
					{"clientId":"c1","text":"see @bert","mentions":{"users":["bert","bert"]},"own":1}""");
			JsonNode posted = follower.expectMessage("s", "c1");
			assertThat(posted.path("mentions").toString()).isEqualTo("{\"users\":[\"bert\"]}");
			assertThat(posted.path("own").asInt()).isOne();
			long first = posted.path("position").asLong();
			long second = this.server.user("cleo").say(room, "c2", "@bert without mentions");
			for (int round = 0; round < 2; round++) {
				assertCounts(bert, room, 2, 1);
				assertCounts(this.server.user("cleo"), room, 0, 0);
				assertThat(positions(bert, room, "")).startsWith(first);
				for (JsonNode event : List.of(bert.history(room, "?after=" + (first - 1)).getFirst(),
						bert.view(room, "&after=" + (first - 1)).getFirst(), mentions(bert, "").getFirst())) {
					assertThat(event.path("mentions")).isEqualTo(posted.path("mentions"));
					assertThat(event.path("type").asString()).isEqualTo("message.posted");
					assertThat(event.path("text").asString()).isEqualTo("see @bert");
				}
				awaitStored(room, second);
			}
			for (StompConnection device : List.of(one, two)) {
				expectCounts(device, room, 2, 1);
			}
			read(bert, room, first);
			for (StompConnection device : List.of(one, two)) {
				expectCounts(device, room, 1, 0);
			}
			assertCounts(bert, room, 1, 0);
			assertThat(positions(bert, room, "")).as("also when it is read").startsWith(first);
		}
	}

	@Test
	void refusesWhoIsNotAMemberAndWhatIsNoMention() {
		String room = this.server.room("anna", "bert");
		this.server.user("dora");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "text");
		for (Object stranger : List.of("dora", "nobody", "*", "Bert", "bert ", "bert\u0301")) {
			assertRefused(anna, room, target, Map.of("users", List.of("bert", stranger)), 404, "not-found");
		}
		List<Object> invalid = new ArrayList<>(List.of("bert", List.of("bert"), 1, true, Map.of("user", "bert"),
				Map.of("users", "bert"), Map.of("users", List.of(1)), Map.of("users", List.of("")),
				Map.of("users", List.of("x".repeat(65))), Map.of("users", Map.of("bert", true)),
				Map.of("users", List.of(List.of("bert"))), Map.of("room", 1), Map.of("room", "true"),
				Map.of("groups", "moderators"), Map.of("groups", List.of("members")),
				Map.of("users", List.of("bert"), "all", true),
				Map.of("users", IntStream.range(0, 51).mapToObj((i) -> "user" + i).toList())));
		invalid.forEach((mentions) -> assertRefused(anna, room, target, mentions, 400, "bad-message"));
		assertRefused(this.server.user("bert"), room, 0, Map.of("room", true), 403, "not-allowed");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			assertThat(bert
				.expectError("/app/rooms." + room + ".send",
						"{\"clientId\":\"c9\",\"text\":\"t\",\"mentions\":{\"users\":[\"dora\"]}}")
				.path("code")
				.asString()).isEqualTo("not-found");
		}
		assertThat(anna.history(room, "?after=" + target)).as("nothing was accepted").isEmpty();
		for (String query : List.of("?limit=0", "?before=x", "?before=1", "?before=1-1-", "?before=-1-1-r",
				"?before=1-1-a%20b", "?before=99999999999999999-1-r")) {
			assertThat(anna.get("/api/me/mentions" + query).expect(400).code()).as(query).isEqualTo("bad-request");
		}
	}

	private static void assertRefused(ChatApi user, String room, long target, Object mentions, int status,
			String code) {
		Map<String, Object> message = Map.of("clientId", "x", "text", "t", "mentions", mentions);
		assertThat(user.post("/api/rooms/" + room + "/messages", message).expect(status).code()).as("%s", mentions)
			.isEqualTo(code);
		if (target > 0) {
			assertThat(user.patch("/api/rooms/" + room + "/messages/" + target, message).expect(status).code())
				.as("edit: %s", mentions)
				.isEqualTo(code);
		}
	}

	@Test
	void groupsBecomeUsersAndTheRoomIsForModerators() {
		String room = this.server.room("anna", "bert", "cleo", "dora");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		anna.changeRole(room, "bert", "moderator").expect(200);
		post(this.server.user("cleo"), room, "c1",
				Map.of("users", List.of("dora"), "groups", List.of("moderators", "owners")));
		JsonNode mentions = anna.history(room, "").getLast().path("mentions");
		assertThat(mentions.path("users").valueStream().map(JsonNode::asString)).containsExactlyInAnyOrder("dora",
				"anna", "bert");
		assertThat(mentions.path("groups").toString()).isEqualTo("[\"moderators\",\"owners\"]");
		assertThat(mentions.has("room")).isFalse();
		post(bert, room, "c2", Map.of("groups", List.of("moderators")));
		assertThat(anna.history(room, "").getLast().path("mentions").path("users").toString()).as("without the sender")
			.isEqualTo("[\"anna\"]");
		long all = post(bert, room, "c3", Map.of("room", true, "users", List.of("cleo")));
		for (int round = 0; round < 2; round++) {
			assertCounts(anna, room, 3, 3);
			assertCounts(this.server.user("cleo"), room, 2, 1);
			assertThat(positions(this.server.user("cleo"), room, "")).as("once").containsOnlyOnce(all).startsWith(all);
			assertCounts(bert, room, 0, 0);
			assertThat(positions(bert, room, "")).doesNotContain(all);
			awaitStored(room, all);
		}
		anna.leave(room, "cleo").expect(204);
		assertThat(positions(this.server.user("cleo"), room, "")).as("no member any more").doesNotContain(all);
	}

	@Test
	@FanOut
	void anEditNamesOneMore() {
		String room = this.server.room("anna", "bert", "cleo");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		ChatApi cleo = this.server.user("cleo");
		long target = post(anna, room, "c1", Map.of("users", List.of("bert")));
		try (StompConnection events = this.server.connectWithEvents("cleo");
				StompConnection follower = this.server.connect("bert")) {
			follower.follow("s", room);
			long edit = edit(anna, room, target, "c2", Map.of("users", List.of("bert", "cleo")));
			JsonNode edited = follower.expectEvent("s", (event) -> event.path("clientId").asString("").equals("c2"));
			assertThat(edited.path("mentions").toString()).isEqualTo("{\"users\":[\"bert\",\"cleo\"]}");
			expectCounts(events, room, 1, 1);
			for (int round = 0; round < 2; round++) {
				assertCounts(bert, room, 1, 1);
				assertCounts(cleo, room, 1, 1);
				assertThat(positions(cleo, room, "")).startsWith(target);
				assertThat(bert.history(room, "?after=" + target).getFirst()).isEqualTo(edited(edited));
				assertThat(bert.view(room, "").getFirst().path("mentions")).isEqualTo(edited.path("mentions"));
				awaitStored(room, edit);
			}
		}
		edit(anna, room, target, "c3", null);
		assertThat(bert.view(room, "").getFirst().path("mentions").path("users").size())
			.as("an edit that does not say keeps them")
			.isEqualTo(2);
		long last = edit(anna, room, target, "c4", Map.of("users", List.of("cleo")));
		for (int round = 0; round < 2; round++) {
			assertCounts(bert, room, 1, 0);
			assertCounts(cleo, room, 1, 1);
			assertThat(positions(bert, room, "")).doesNotContain(target);
			assertThat(mentions(cleo, "").getFirst().path("text").asString()).isEqualTo("text c4");
			awaitStored(room, last);
		}
		anna.leave(room, "cleo").expect(204);
		edit(anna, room, target, "c5", Map.of("users", List.of("cleo")));
		edit(anna, room, target, "c6", Map.of());
		assertThat(bert.view(room, "").getFirst().path("mentions").toString()).isEqualTo("{\"users\":[]}");
		assertThat(anna
			.patch("/api/rooms/" + room + "/messages/" + target,
					Map.of("clientId", "c7", "text", "t", "mentions", Map.of("users", List.of("cleo"))))
			.expect(404)
			.code()).as("not mentioned any more, and no member").isEqualTo("not-found");
	}

	/** A page of history has the number of messages, too. */
	private static JsonNode edited(JsonNode event) {
		Map<String, JsonNode> fields = new LinkedHashMap<>();
		event.forEachEntry(fields::put);
		fields.put("number", ChatApi.JSON.valueToTree(1));
		return ChatApi.JSON.readTree(ChatApi.JSON.writeValueAsString(fields));
	}

	@Test
	void deletedMessagesMentionNobody() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		List<Long> posted = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			posted.add(post(anna, room, "c" + i, Map.of("users", List.of("bert"))));
		}
		awaitStored(room, posted.getLast());
		anna.deleteMessage(room, posted.get(1)).expect(202);
		long again = post(anna, room, "c3", Map.of("users", List.of("bert")));
		long last = anna.deleteMessage(room, again).expect(202).body().path("position").asLong();
		for (int round = 0; round < 2; round++) {
			assertCounts(bert, room, 2, 2);
			assertThat(positions(bert, room, "?limit=2")).containsExactly(posted.get(2), posted.getFirst());
			assertThat(bert.view(room, "").get(1).has("mentions")).isFalse();
			awaitStored(room, last);
		}
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM mention WHERE room_id = ?", Long.class, room))
			.isEqualTo(2);
		read(bert, room, posted.getLast());
		await().untilAsserted(() -> assertCounts(bert, room, 0, 0));
	}

	@Test
	void repliesMentionAndAreFollowed() {
		String room = this.server.room("anna", "bert", "cleo");
		ChatApi anna = this.server.user("anna");
		ChatApi cleo = this.server.user("cleo");
		long root = anna.say(room, "c1", "root");
		String thread = "/api/rooms/" + room + "/threads/" + root + "/messages";
		Map<String, Object> reply = Map.of("clientId", "c2", "text", "reply @cleo", "mentions",
				Map.of("users", List.of("cleo")));
		long position = anna.post(thread, reply).expect(202).body().path("position").asLong();
		for (int round = 0; round < 2; round++) {
			assertThat(mentions(cleo, "").getFirst().path("thread").asLong()).isEqualTo(root);
			assertThat(positions(cleo, room, "")).startsWith(position);
			assertCounts(cleo, room, 1, 0);
			JsonNode page = cleo.get(thread).expect(200).body();
			assertThat(page.path("following").asBoolean()).isTrue();
			assertThat(page.path("unread").asInt()).isOne();
			assertThat(page.path("messages").get(0).path("mentions").toString()).isEqualTo("{\"users\":[\"cleo\"]}");
			assertThat(cleo.get("/api/me/threads").expect(200).body().path("threads").get(0).path("root").asLong())
				.isEqualTo(root);
			awaitStored(room, position);
		}
		long deletion = anna.deleteMessage(room, position).expect(202).body().path("position").asLong();
		for (int round = 0; round < 2; round++) {
			assertThat(positions(cleo, room, "")).doesNotContain(position);
			awaitStored(room, deletion);
		}
	}

	@Test
	void pagesOverAllRooms() {
		ChatApi anna = this.server.user("anna");
		this.server.user("paul");
		List<String> rooms = List.of(this.server.room("anna", "paul"), this.server.room("anna", "paul"),
				this.server.room("anna", "paul"));
		List<Long> expected = new ArrayList<>();
		for (int i = 0; i < 7; i++) {
			expected.add(post(anna, rooms.get(i % 3), "c" + i,
					(i % 2 == 0) ? Map.of("users", List.of("paul")) : Map.of("room", true)));
		}
		ChatApi paul = this.server.user("paul");
		for (int round = 0; round < 2; round++) {
			List<JsonNode> paged = new ArrayList<>();
			String query = "?limit=2";
			while (query != null) {
				JsonNode page = paul.get("/api/me/mentions" + query).expect(200).body();
				page.path("mentions").forEach(paged::add);
				query = page.path("next").isNull() ? null : "?limit=2&before=" + page.path("next").asString();
			}
			assertThat(Chain.positions(paged)).containsExactlyInAnyOrderElementsOf(expected);
			assertThat(paged.reversed()).extracting((mention) -> mention.path("sentAt").asString())
				.usingElementComparator(Comparator.comparing(Instant::parse))
				.isSorted();
			rooms.forEach((room) -> awaitStored(room, anna.history(room, "").getLast().path("position").asLong()));
		}
		assertThat(paul.get("/api/me/mentions?limit=7").expect(200).body().path("next").isNull()).isTrue();
	}

	@Test
	void aRepeatedMessageKeepsItsMentions() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long first = post(anna, room, "c1", Map.of("users", List.of("bert")));
		assertThat(post(anna, room, "c1", Map.of("users", List.of("bert")))).isEqualTo(first);
		anna.leave(room, "bert").expect(204);
		assertThat(post(anna, room, "c1", Map.of("users", List.of("bert")))).as("it was accepted before")
			.isEqualTo(first);
		assertThat(anna.history(room, "?after=" + (first - 1)).getFirst().path("mentions").toString())
			.isEqualTo("{\"users\":[\"bert\"]}");
	}

	private static long post(ChatApi user, String room, String clientId, Map<String, Object> mentions) {
		return user
			.post("/api/rooms/" + room + "/messages",
					Map.of("clientId", clientId, "text", "text " + clientId, "mentions", mentions))
			.expect(202)
			.body()
			.path("position")
			.asLong();
	}

	private static long edit(ChatApi user, String room, long target, String clientId,
			@Nullable Map<String, Object> mentions) {
		Map<String, Object> edit = new LinkedHashMap<>(Map.of("clientId", clientId, "text", "text " + clientId));
		if (mentions != null) {
			edit.put("mentions", mentions);
		}
		return user.patch("/api/rooms/" + room + "/messages/" + target, edit)
			.expect(202)
			.body()
			.path("position")
			.asLong();
	}

	private static List<JsonNode> mentions(ChatApi user, String query) {
		List<JsonNode> mentions = new ArrayList<>();
		user.get("/api/me/mentions" + query).expect(200).body().path("mentions").forEach(mentions::add);
		return mentions;
	}

	/** Returns the positions of the mentions in a room. Other rooms may have the same. */
	private static List<Long> positions(ChatApi user, String room, String query) {
		return mentions(user, query).stream()
			.filter((mention) -> mention.path("room").asString().equals(room))
			.map((mention) -> mention.path("position").asLong())
			.toList();
	}

	private static void read(ChatApi user, String room, long position) {
		user.put("/api/rooms/" + room + "/read", Map.of("position", position)).expect(204);
	}

	private static void assertCounts(ChatApi user, String room, int unread, int mentions) {
		JsonNode listed = user.listed(room);
		assertThat(listed.path("unread").asInt(-1)).isEqualTo(unread);
		assertThat(listed.path("mentions").asInt(-1)).isEqualTo(mentions);
	}

	private static void expectCounts(StompConnection device, String room, int unread, int mentions) {
		device.expectEvent("me",
				(event) -> event.path("type").asString().equals("unread.changed")
						&& event.path("room").asString().equals(room) && event.path("unread").asInt(-1) == unread
						&& event.path("mentions").asInt(-1) == mentions);
	}

	private void awaitStored(String room, long position) {
		await()
			.until(() -> this.jdbc.queryForObject("SELECT COUNT(*) FROM room_event WHERE room_id = ? AND position = ?",
					Integer.class, room, position) == 1);
	}

}
