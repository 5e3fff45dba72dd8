package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import io.parley.server.presence.PresenceChanged;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.presence.PresenceState;
import io.parley.store.room.BlockRepository;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests {@code /api/blocks} and what a block prevents. */
@UnlimitedServer
class BlockTests {

	private final ChatServer server;

	private final BlockRepository blocks;

	private final ApplicationEventPublisher events;

	private final JdbcTemplate jdbc;

	BlockTests(ChatServer server, BlockRepository blocks, ApplicationEventPublisher events, JdbcTemplate jdbc) {
		this.server = server;
		this.blocks = blocks;
		this.events = events;
		this.jdbc = jdbc;
		server.user("anna");
		server.user("bert");
	}

	@AfterEach
	void unblock() {
		this.blocks.of("anna").forEach((block) -> unblock("anna", block.username()));
		unblock("bert", "anna");
	}

	@Test
	void areListedOnce() {
		block("anna", "bert");
		block("anna", "bert");
		JsonNode listed = this.server.user("anna").get("/api/blocks").expect(200).body();
		assertThat(listed.size()).isEqualTo(1);
		assertThat(listed.get(0).path("username").asString()).isEqualTo("bert");
		assertThat(listed.get(0).path("since").asString()).endsWith("Z");
		assertThat(this.server.user("bert").get("/api/blocks").expect(200).body().size()).isZero();
		unblock("anna", "bert");
		unblock("anna", "bert");
		assertThat(this.server.user("anna").get("/api/blocks").expect(200).body().size()).isZero();
	}

	@Test
	void doNotRevealWhetherAUserExists() {
		block("anna", "nobody-at-all");
		assertThat(this.server.user("anna").get("/api/blocks").expect(200).body().size()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "anna", "a%20b", "%00", "a%3Ab", "%F0%9F%98%80",
			"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx" })
	void refuseInvalidUsernames(String name) {
		ChatApi.Answer answer = this.server.user("anna").put("/api/blocks/" + name, Map.of());
		assertThat(answer.status()).isEqualTo(400);
		assertThat(this.server.user("anna").get("/api/blocks").expect(200).body().size()).isZero();
	}

	@FanOut
	@ParameterizedTest
	@CsvSource({ "anna,bert", "bert,anna" })
	void stopMessagesInTheDirectRoomBothWays(String blocker, String blocked) {
		String room = this.server.user("anna").openDirect("bert");
		this.server.user("anna").say(room, "before" + blocker, "before");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			block(blocker, blocked);
			String refused = assertRefused(post("anna", room));
			assertThat(assertRefused(post("bert", room))).isEqualTo(refused);
			for (StompConnection sender : List.of(anna, bert)) {
				JsonNode error = sender.expectError("/app/rooms." + room + ".send",
						"{\"clientId\":\"c\",\"text\":\"t\"}");
				assertThat(error.path("code").asString()).isEqualTo("not-allowed");
				assertThat(error.path("clientId").asString()).isEqualTo("c");
				assertThat(error.path("message").asString()).isEqualTo(refused);
				assertThat(sender.expectError("/app/rooms." + room + ".typing", "{}").path("code").asString())
					.isEqualTo("not-allowed");
			}
			assertThat(bert.events("s")).hasSize(1);
			assertThat(this.server.user("bert").history(room, "?limit=1").getFirst().path("clientId").asString())
				.isEqualTo("before" + blocker);
			unblock(blocker, blocked);
			this.server.user("bert").say(room, "after" + blocker, "after");
			bert.expectMessage("s", "after" + blocker);
		}
	}

	/** Both can still read, but the other does not get to know it. */
	@FanOut
	@ParameterizedTest
	@CsvSource({ "anna,bert", "bert,anna" })
	void stopReadSignalsBothWays(String blocker, String blocked) {
		String room = this.server.user("anna").openDirect("bert");
		long first = this.server.user("anna").say(room, "one" + blocker, "text");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			anna.subscribe("s", "/topic/rooms." + room + ".signals");
			block(blocker, blocked);
			read(bert, room, first);
			// The own devices are told after the room: now nobody will be told of this
			// marker.
			bert.expectEvent("me", (event) -> event.path("type").asString().equals("unread.changed")
					&& event.path("read").asLong() == first);
			assertThat(this.server.user("bert").listed(room).path("read").asLong()).isEqualTo(first);
			unblock(blocker, blocked);
			long second = this.server.user("anna").say(room, "two" + blocker, "text");
			read(bert, room, second);
			anna.expectEvent("s", (event) -> event.path("position").asLong() == second);
			assertThat(anna.events("s")).noneMatch((event) -> event.path("position").asLong() == first);
		}
	}

	/** In rooms with others they still see each other. */
	@FanOut
	@ParameterizedTest
	@ValueSource(strings = { "one", "two" })
	void hidePresenceInTheDirectRoomBothWays(String blocker) {
		String watching = "watching-" + blocker;
		String watched = "watched-" + blocker;
		List<String> both = blocker.equals("one") ? List.of(watching, watched) : List.of(watched, watching);
		this.server.user(watched);
		String direct = this.server.user(watching).openDirect(watched);
		String group = this.server.room(watching, watched);
		try (StompConnection watcher = this.server.connectWithEvents(watching)) {
			watcher.subscribe("direct", "/topic/rooms." + direct + ".signals");
			watcher.subscribe("group", "/topic/rooms." + group + ".signals");
			try (StompConnection session = this.server.connectWithEvents(watched)) {
				expectPresence(watcher, "direct", watched, "online");
				assertThat(online(watching, direct)).containsExactly(watched, watching);
				block(both.getFirst(), both.getLast());
				this.events.publishEvent(new PresenceChanged(watched, PresenceState.OFFLINE));
				expectPresence(watcher, "group", watched, "online", "offline");
				assertThat(online(watching, direct)).containsExactly(watching);
				assertThat(online(watched, direct)).containsExactly(watched);
				assertThat(online(watching, group)).containsExactly(watched, watching);
				unblock(both.getFirst(), both.getLast());
				this.events.publishEvent(new PresenceChanged(watched, PresenceState.ONLINE));
				expectPresence(watcher, "direct", watched, "online", "online");
				assertThat(online(watched, direct)).containsExactly(watched, watching);
			}
		}
	}

	private static void expectPresence(StompConnection watcher, String subscription, String user, String... states) {
		watcher.expectEvent(subscription, (event) -> presence(watcher, subscription, user).size() >= states.length);
		assertThat(presence(watcher, subscription, user)).containsExactly(states);
	}

	private static List<String> presence(StompConnection watcher, String subscription, String user) {
		return watcher.events(subscription)
			.stream()
			.filter((event) -> event.path("type").asString().equals("presence")
					&& event.path("user").asString().equals(user))
			.map((event) -> event.path("state").asString())
			.toList();
	}

	private List<String> online(String viewer, String room) {
		JsonNode members = this.server.user(viewer).get("/api/rooms/" + room).expect(200).body().path("members");
		return StreamSupport.stream(members.spliterator(), false)
			.filter((member) -> member.path("online").asBoolean())
			.map((member) -> member.path("username").asString())
			.toList();
	}

	private static void read(StompConnection reader, String room, long position) {
		reader.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"),
				"{\"position\":" + position + "}");
	}

	@Test
	void stopADirectRoomBothWays() {
		block("anna", "bert");
		String refused = assertRefused(direct("anna", "bert"));
		assertThat(assertRefused(direct("bert", "anna"))).isEqualTo(refused).doesNotContain("anna", "bert");
		unblock("anna", "bert");
		direct("bert", "anna").expect(201);
	}

	@Test
	void preventTheBlockedUserFromInvitingTheBlocker() {
		this.server.user("cleo");
		block("anna", "bert");
		assertRefused(this.server.user("bert")
			.post("/api/rooms", Map.of("name", "x", "kind", "group", "members", List.of("cleo", "anna"))));
		String room = this.server.room("bert", "cleo");
		assertRefused(this.server.user("bert").join(room, "anna"));
		this.server.user("cleo").join(room, "anna").expect(201);
		this.server.user("bert").say(room, "c1", "in a shared room");
	}

	@Test
	void letTheBlockerInviteTheBlockedUser() {
		block("anna", "bert");
		this.server.user("bert").get("/api/rooms/" + this.server.room("anna", "bert")).expect(200);
	}

	@Test
	void haveALimitThatHoldsUnderConcurrentRequests() throws Exception {
		this.server.user("blocker");
		this.jdbc.batchUpdate("INSERT INTO user_block (username, blocked, since) VALUES ('blocker', ?, NOW())",
				IntStream.range(0, 990).mapToObj((i) -> new Object[] { "name" + i }).toList());
		List<Future<Integer>> puts = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 50; i++) {
				String name = "other" + i;
				puts.add(threads
					.submit(() -> this.server.user("blocker").put("/api/blocks/" + name, Map.of()).status()));
			}
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<Integer> put : puts) {
			statuses.add(put.get());
		}
		assertThat(statuses).containsOnly(204, 403).filteredOn((status) -> status == 204).hasSize(10);
		assertThat(this.server.user("blocker").get("/api/blocks").expect(200).body().size()).isEqualTo(1_000);
		assertThat(this.server.user("blocker").put("/api/blocks/onemore", Map.of()).expect(403).code())
			.isEqualTo("not-allowed");
		this.server.user("blocker").put("/api/blocks/name1", Map.of()).expect(204);
	}

	private void block(String user, String other) {
		this.server.user(user).put("/api/blocks/" + other, Map.of()).expect(204);
	}

	private void unblock(String user, String other) {
		this.server.user(user).delete("/api/blocks/" + other).expect(204);
	}

	private ChatApi.Answer direct(String user, String peer) {
		return this.server.user(user).post("/api/rooms", Map.of("kind", "direct", "members", List.of(peer)));
	}

	private ChatApi.Answer post(String user, String room) {
		return this.server.user(user).post("/api/rooms/" + room + "/messages", Map.of("clientId", "c", "text", "t"));
	}

	private static String assertRefused(ChatApi.Answer answer) {
		assertThat(answer.expect(403).code()).isEqualTo("not-allowed");
		return answer.body().path("detail").asString();
	}

}
