package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@FanOut
@Relay
@UnlimitedServer
class RoomTests {

	private final ChatServer server;

	RoomTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void opensTheSameDirectRoomFromBothSides() throws Exception {
		ChatApi anna = this.server.user("anna");
		ChatApi cleo = this.server.user("cleo");
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<String>> rooms = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				rooms.add(threads.submit(() -> anna.openDirect("cleo")));
				rooms.add(threads.submit(() -> cleo.openDirect("anna")));
			}
			for (Future<String> room : rooms) {
				assertThat(room.get()).isEqualTo(rooms.getFirst().get());
			}
			assertThat(anna.listed(rooms.getFirst().get()).path("peer").asString()).isEqualTo("cleo");
			assertThat(cleo.listed(rooms.getFirst().get()).path("peer").asString()).isEqualTo("anna");
		}
	}

	@Test
	void limitsADirectRoomToItsTwoMembers() {
		String room = this.server.user("anna").openDirect(registered("bert"));
		registered("cleo");
		assertThat(this.server.user("anna").join(room, "cleo").expect(403).code()).isEqualTo("not-allowed");
		assertThat(this.server.user("cleo").join(room, "cleo").expect(404).code()).isEqualTo("not-found");
		assertThat(this.server.user("anna").leave(room, "anna").expect(403).code()).isEqualTo("not-allowed");
	}

	@Test
	void neverExceedsItsCapacity() throws Exception {
		String room = this.server.user("anna")
			.post("/api/rooms", Map.of("name", "Small", "kind", "group", "capacity", 11))
			.expect(201)
			.body()
			.path("id")
			.asString();
		List<String> users = new ArrayList<>();
		for (int i = 0; i < 32; i++) {
			users.add("joiner" + i);
			this.server.anonymous().register("joiner" + i);
		}
		List<Future<Integer>> joins = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			users
				.forEach((user) -> joins.add(threads.submit(() -> this.server.user("anna").join(room, user).status())));
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<Integer> join : joins) {
			statuses.add(join.get());
		}
		assertThat(statuses).containsOnly(201, 409).filteredOn((status) -> status == 201).hasSize(10);
		JsonNode detailed = this.server.user("anna").get("/api/rooms/" + room).expect(200).body();
		assertThat(detailed.path("memberCount").asInt()).isEqualTo(11);
		assertThat(detailed.path("members").size()).isEqualTo(11);
	}

	@Test
	void refusesMembersAboveItsCapacityWithRoomFull() {
		String room = this.server.user("anna")
			.post("/api/rooms", Map.of("name", "One", "kind", "channel", "capacity", 1))
			.expect(201)
			.body()
			.path("id")
			.asString();
		assertThat(this.server.user("bert").join(room, "bert").expect(409).code()).isEqualTo("room-full");
	}

	@Test
	void aMemberMayJoinAgainWhenTheRoomIsFull() {
		String room = this.server.user("anna")
			.post("/api/rooms", Map.of("name", "Two", "kind", "channel", "capacity", 2))
			.expect(201)
			.body()
			.path("id")
			.asString();
		this.server.user("bert").join(room, "bert").expect(201);
		assertThat(this.server.user("cleo").join(room, "cleo").expect(409).code()).isEqualTo("room-full");
		this.server.user("bert").join(room, "bert").expect(200);
		assertThat(this.server.user("anna").history(room, "")).hasSize(2);
	}

	@Test
	void joiningTwiceChangesNothing() {
		String room = this.server.channel("anna");
		this.server.user("bert").join(room, "bert").expect(201);
		this.server.user("bert").join(room, "bert").expect(200);
		assertThat(this.server.user("anna").history(room, "")).hasSize(2);
	}

	@Test
	void notifiesAllDevicesOfAnInvitedUser() {
		String room = this.server.room("anna");
		try (StompConnection phone = this.server.connectWithEvents("bert");
				StompConnection laptop = this.server.connectWithEvents("bert");
				StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			this.server.user("anna").join(room, "bert").expect(201);
			for (StompConnection device : List.of(phone, laptop)) {
				JsonNode added = device.expectEvent("me", (event) -> isAbout(event, "room.added", room));
				assertThat(added.path("kind").asString()).isEqualTo("group");
				assertThat(added.path("by").asString()).isEqualTo("anna");
				assertThat(added.path("name").asString()).isNotEmpty();
			}
			JsonNode joined = anna.expectEvent("s", (event) -> isAbout(event, "member.joined", room));
			assertThat(joined.path("member").asString()).isEqualTo("bert");
		}
	}

	@Test
	void notifiesTheInitialMembersOfANewRoom() {
		registered("bert");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			String room = this.server.room("anna", "bert");
			bert.expectEvent("me", (event) -> isAbout(event, "room.added", room));
		}
	}

	@Test
	void endsTheSubscriptionsOfWhoIsRemovedOnEveryDevice() {
		String room = this.server.room("anna", "bert");
		try (StompConnection phone = this.server.connectWithEvents("bert");
				StompConnection laptop = this.server.connectWithEvents("bert")) {
			List<StompConnection> devices = List.of(phone, laptop);
			devices.forEach((device) -> device.follow("s", room));
			devices.forEach((device) -> device.subscribe("signals", "/topic/rooms." + room + ".signals"));
			this.server.user("anna").leave(room, "bert").expect(204);
			this.server.user("anna").say(room, "c1", "secret");
			for (StompConnection device : devices) {
				JsonNode removed = device.expectEvent("me", (event) -> isAbout(event, "room.removed", room));
				assertThat(removed.path("by").asString()).isEqualTo("anna");
				assertThat(device.expectError("SUBSCRIBE", Map.of("id", "t", "destination", "/topic/rooms." + room), "")
					.path("code")
					.asString()).isEqualTo("not-a-member");
				assertThat(device.expectError("/app/rooms." + room + ".typing", "{}").path("code").asString())
					.isEqualTo("not-a-member");
				assertThat(device.events("s").getLast().path("type").asString()).isEqualTo("member.left");
				assertThat(device.events("s").getLast().path("member").asString()).isEqualTo("bert");
			}
		}
	}

	@Test
	void showsALeavingMemberTheirOwnLeaveEventLast() {
		String room = this.server.channel("anna", "bert");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			this.server.user("bert").leave(room, "bert").expect(204);
			bert.expectEvent("me", (event) -> isAbout(event, "room.removed", room));
			assertThat(bert.events("s").getLast().path("type").asString()).isEqualTo("member.left");
			this.server.user("bert").join(room, "bert").expect(201);
			bert.follow("again", room);
		}
	}

	@Test
	void letsNoMemberRemoveOthers() {
		String room = this.server.room("anna", "bert", "cleo");
		assertThat(this.server.user("bert").leave(room, "cleo").expect(403).code()).isEqualTo("not-allowed");
		assertThat(this.server.user("bert").leave(room, "anna").expect(403).code()).isEqualTo("not-allowed");
	}

	private static boolean isAbout(JsonNode event, String type, String room) {
		return event.path("type").asString().equals(type) && event.path("room").asString().equals(room);
	}

	private String registered(String user) {
		this.server.user(user);
		return user;
	}

}
