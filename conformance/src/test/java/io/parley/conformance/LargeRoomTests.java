package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.FaultyLog;
import io.parley.server.testing.FaultyLog.Fault;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static io.parley.conformance.Crowd.expectCount;
import static io.parley.conformance.Crowd.isAbout;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** In rooms of more than 1,000 members a join is no event, but a new count. */
@FanOut
@Relay
@UnlimitedServer
class LargeRoomTests {

	private final ChatServer server;

	private final FaultyLog log;

	private final JdbcTemplate jdbc;

	LargeRoomTests(ChatServer server, FaultyLog log, JdbcTemplate jdbc) {
		this.server = server;
		this.log = log;
		this.jdbc = jdbc;
	}

	@AfterEach
	void repair() {
		this.log.set(Fault.NONE);
		this.log.answer();
	}

	private String channel(String owner, int members) {
		return Crowd.channel(this.server, this.jdbc, owner, members);
	}

	private List<String> history(String owner, String room) {
		return this.server.user(owner)
			.history(room, "")
			.stream()
			.map((event) -> event.path("type").asString())
			.toList();
	}

	private int members(String user, String room) {
		return this.server.user(user).listed(room).path("memberCount").asInt();
	}

	@Test
	void aJoinIsACountAndNoEvent() {
		String room = channel("host1", 1_000);
		try (StompConnection host = this.server.connect("host1");
				StompConnection phone = this.server.connectWithEvents("bert");
				StompConnection laptop = this.server.connectWithEvents("bert")) {
			Crowd.follow(host, room);
			phone.expectError("SUBSCRIBE", Map.of("id", "early", "destination", "/topic/rooms." + room), "");
			this.server.user("bert").join(room, "bert").expect(201);
			for (StompConnection device : List.of(phone, laptop)) {
				JsonNode added = device.expectEvent("me", (event) -> isAbout(event, "room.added", room));
				assertThat(added.path("kind").asString()).isEqualTo("channel");
				assertThat(added.path("name").asString()).isEqualTo("Crowd");
				assertThat(added.path("by").asString()).isEqualTo("bert");
			}
			expectCount(host, room, 1_001);
			phone.follow("s", room);
			phone.expectReceipt(phone.say(room, "c", "text"));
			host.expectMessage("s", "c");
			assertThat(Crowd.types(host)).containsExactly("message.posted");
			this.server.user("bert").join(room, "bert").expect(200);
			this.server.user("host1").join(room, "bert").expect(200);
			assertThat(history("host1", room)).containsExactly("room.created", "message.posted");
			assertThat(members("bert", room)).isEqualTo(1_001);
			assertThat(phone.events("me")).filteredOn((event) -> isAbout(event, "room.added", room)).hasSize(1);
		}
	}

	@Test
	void aJoinUpToTheLimitIsAnEvent() {
		String room = channel("host2", 999);
		this.server.user("cleo");
		try (StompConnection host = this.server.connect("host2")) {
			Crowd.follow(host, room);
			this.server.user("bert").join(room, "bert").expect(201);
			host.expectEvent("s",
					(event) -> isAbout(event, "member.joined", room) && event.path("member").asString().equals("bert"));
			this.server.user("host2").join(room, "cleo").expect(201);
			expectCount(host, room, 1_001);
			assertThat(Crowd.counts(host)).containsExactly(1_001);
			assertThat(history("host2", room)).containsExactly("room.created", "member.joined");
		}
	}

	@Test
	void manyJoinsAreFewSignals() throws Exception {
		String room = channel("host3", 1_000);
		List<ChatApi> users = IntStream.range(0, 50).mapToObj((i) -> this.server.user("rush" + i)).toList();
		try (StompConnection host = this.server.connect("host3")) {
			Crowd.follow(host, room);
			List<Integer> statuses = new ArrayList<>();
			long start = System.nanoTime();
			try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
				List<Future<Integer>> joins = new ArrayList<>();
				for (int repeat = 0; repeat < 2; repeat++) {
					users.forEach((user) -> joins.add(threads.submit(() -> user.join(room, user.name()).status())));
				}
				for (Future<Integer> join : joins) {
					statuses.add(join.get());
				}
			}
			assertThat(statuses).containsOnly(200, 201).filteredOn((status) -> status == 201).hasSize(50);
			await().until(() -> !Crowd.counts(host).isEmpty() && Crowd.counts(host).getLast() == 1_050);
			long seconds = (System.nanoTime() - start) / 1_000_000_000;
			assertThat(Crowd.counts(host)).hasSizeLessThanOrEqualTo((int) seconds + 2).isSorted();
			assertThat(history("host3", room)).containsExactly("room.created");
			assertThat(members("rush7", room)).isEqualTo(1_050);
		}
	}

	@Test
	void aLeaveIsAnEventAndACount() {
		String room = channel("host4", 1_000);
		this.server.user("bert").join(room, "bert").expect(201);
		try (StompConnection host = this.server.connect("host4");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			Crowd.follow(host, room);
			Crowd.follow(bert, room);
			this.server.user("cleo").join(room, "cleo").expect(201);
			this.server.user("bert").leave(room, "bert").expect(204);
			host.expectEvent("s",
					(event) -> isAbout(event, "member.left", room) && event.path("member").asString().equals("bert"));
			bert.expectEvent("me", (event) -> isAbout(event, "room.removed", room));
			assertThat(bert.events("s").getLast().path("type").asString()).isEqualTo("member.left");
			await().until(() -> !Crowd.counts(host).isEmpty() && Crowd.counts(host).getLast() == 1_001);
			this.server.user("host4").leave(room, "cleo").expect(204);
			expectCount(host, room, 1_000);
			assertThat(history("host4", room)).containsExactly("room.created", "member.left", "member.left");
		}
	}

	@Test
	void whoWasRemovedJoinsAgainOnlyByInvitation() {
		String room = channel("host5", 1_000);
		this.server.user("bert").join(room, "bert").expect(201);
		this.server.user("host5").leave(room, "bert").expect(204);
		assertThat(this.server.user("bert").join(room, "bert").expect(403).code()).isEqualTo("not-allowed");
		assertThat(members("host5", room)).isEqualTo(1_000);
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			this.server.user("host5").join(room, "bert").expect(201);
			JsonNode added = bert.expectEvent("me", (event) -> isAbout(event, "room.added", room));
			assertThat(added.path("by").asString()).isEqualTo("host5");
			bert.follow("s", room);
		}
		assertThat(history("host5", room)).containsExactly("room.created", "member.left");
	}

	@Test
	void aJoinByLinkIsNoEvent() {
		String room = Crowd.privateChannel(this.server, this.jdbc, "host6", 1_000);
		String link = this.server.user("host6")
			.post("/api/rooms/" + room + "/invites", Map.of("uses", 1))
			.expect(201)
			.body()
			.path("token")
			.asString();
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			this.server.user("bert").post("/api/invites/" + link, Map.of());
			bert.expectEvent("me", (event) -> isAbout(event, "room.added", room));
			bert.follow("s", room);
		}
		assertThat(history("host6", room)).containsExactly("room.created");
	}

	@Test
	void aJoinNeedsNoLog() {
		String room = channel("host7", 1_000);
		try (StompConnection host = this.server.connect("host7");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			Crowd.follow(host, room);
			this.log.set(Fault.REFUSES);
			this.server.user("bert").join(room, "bert").expect(201);
			bert.expectEvent("me", (event) -> isAbout(event, "room.added", room));
			expectCount(host, room, 1_001);
			assertThat(this.server.user("bert").leave(room, "bert").expect(503).code()).isEqualTo("log-unavailable");
			assertThat(members("host7", room)).isEqualTo(1_001);
			this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
			assertThat(this.server.user("bert").leave(room, "bert").expect(503).code()).isEqualTo("append-unknown");
			expectCount(host, room, 1_000);
		}
	}

	@Test
	void aRepeatedJoinOfUnknownOutcomeIsAnEvent() {
		String room = channel("host8", 999);
		this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
		assertThat(this.server.user("bert").join(room, "bert").expect(503).code()).isEqualTo("append-unknown");
		this.server.user("cleo").join(room, "cleo").expect(201);
		this.log.set(Fault.NONE);
		this.server.user("bert").join(room, "bert").expect(200);
		this.server.user("bert").join(room, "bert").expect(200);
		assertThat(history("host8", room)).containsExactly("room.created", "member.joined");
		assertThat(members("bert", room)).isEqualTo(1_001);
	}

	/** The event of the leave may come late, after the user has joined again. */
	@Test
	void whoJoinsAgainIsToldSoAfterTheirLeave() throws Exception {
		String room = channel("host9", 1_001);
		this.server.user("bert").join(room, "bert").expect(201);
		try (StompConnection bert = this.server.connectWithEvents("bert");
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			bert.follow("s", room);
			this.log.set(Fault.HANGS, "member.left");
			Future<ChatApi.Answer> leave = threads.submit(() -> this.server.user("bert").leave(room, "bert"));
			await().until(() -> members("host9", room) == 1_001);
			this.server.user("bert").join(room, "bert").expect(201);
			bert.expectEvent("me", (event) -> isAbout(event, "room.added", room));
			this.log.set(Fault.NONE);
			this.log.answer();
			leave.get().expect(204);
			bert.expectEvent("me", (event) -> isAbout(event, "room.removed", room));
			await().until(() -> isAbout(bert.events("me").getLast(), "room.added", room));
			bert.follow("again", room);
			bert.expectReceipt(bert.say(room, "c", "text"));
			bert.expectMessage("again", "c");
		}
	}

}
