package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.room.MemberRemoved;
import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Sessions on two servers behave as if they were on one. */
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersTests {

	private static final int SENDERS = 8;

	private static final int EACH = 12;

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	private final ChatServer one = servers.get().one();

	private final ChatServer two = servers.get().two();

	@Test
	void closeTheSessionsOfAUserWhomTheOtherServerDisables() {
		Users users = new Users("disabled");
		ChatApi olga = this.one.anonymous().login("olga");
		try (StompConnection there = connect(this.two, users.first())) {
			olga.patch("/api/operator/users/disabled1", Map.of("state", "disabled")).expect(200);
			assertThat(there.expectClosed()).isEqualTo(4403);
		}
	}

	@Test
	@Dialect
	void notifyTheDevicesOfAUserOnBothOfAcceptedAndNewMessages() {
		Users users = new Users("devices");
		String room = users.room();
		try (StompConnection phone = connect(this.one, users.first());
				StompConnection laptop = connect(this.two, users.first());
				StompConnection other = connect(this.two, users.second())) {
			List.of(phone, laptop, other).forEach((device) -> device.follow("s", room));
			for (int i = 0; i < 10; i++) {
				phone.expectReceipt(phone.say(room, "p" + i, "text"));
				laptop.expectReceipt(laptop.say(room, "l" + i, "text"));
			}
			other.expectReceipt(other.say(room, "end", "end"));
			for (StompConnection device : List.of(phone, laptop, other)) {
				device.expectMessage("s", "end");
				assertThat(Chain.positions(events(device)))
					.isEqualTo(Chain.positions(users.first().history(room, "")).subList(1, 22));
			}
			for (StompConnection device : List.of(phone, laptop)) {
				for (int i = 0; i < 10; i++) {
					expectAccepted(device, room, "p" + i);
					expectAccepted(device, room, "l" + i);
				}
			}
			assertThat(other.events("me")).filteredOn((event) -> event.path("type").asString().equals("accepted"))
				.extracting((event) -> event.path("clientId").asString())
				.containsOnly("end");
		}
	}

	private static void expectAccepted(StompConnection device, String room, String clientId) {
		JsonNode accepted = device.expectEvent("me", (event) -> event.path("type").asString().equals("accepted")
				&& event.path("clientId").asString().equals(clientId));
		assertThat(accepted.path("room").asString()).isEqualTo(room);
		assertThat(accepted.path("position")).isEqualTo(device.expectMessage("s", clientId).path("position"));
	}

	@Test
	@Dialect
	void showTheSameOrderOnBothWhileMembersOfBothSend() throws Exception {
		Users users = new Users("order");
		String room = users.room();
		try (StompConnection here = connect(this.one, users.first());
				StompConnection there = connect(this.two, users.second());
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			long start = here.follow("s", room).path("head").asLong();
			assertThat(there.follow("s", room).path("head").asLong()).isEqualTo(start);
			List<Future<?>> senders = new ArrayList<>();
			for (int i = 0; i < SENDERS; i++) {
				int number = i;
				senders.add(threads.submit(() -> sendTo((number % 2 == 0) ? this.one : this.two, users, room, number)));
			}
			for (Future<?> sender : senders) {
				sender.get();
			}
			users.first().say(room, "end", "end");
			here.expectMessage("s", "end");
			there.expectMessage("s", "end");
			assertThat(events(here)).hasSize(SENDERS * EACH + 1).isEqualTo(events(there));
			Chain.assertUnbroken(events(here), start);
			assertThat(Chain.positions(users.second().history(room, "?limit=200&after=" + start)))
				.isEqualTo(Chain.positions(events(here)));
		}
	}

	private static void sendTo(ChatServer server, Users users, String room, int number) {
		try (StompConnection sender = StompConnection.open(server).connect(users.second().token())) {
			String receipt = "";
			for (int i = 0; i < EACH; i++) {
				receipt = sender.say(room, number + "/" + i, "text");
			}
			sender.expectReceipt(receipt);
		}
	}

	@Test
	void resumeOnTheOtherExactlyWhereTheyEnded() {
		Users users = new Users("moving");
		String room = users.room();
		long start = users.first().listed(room).path("head").asLong();
		List<JsonNode> received = new ArrayList<>();
		long last = start;
		for (int i = 0; i < 10; i++) {
			try (StompConnection moving = StompConnection.open((i % 2 == 0) ? this.one : this.two)
				.connect(users.second().token())) {
				assertThat(moving.follow("s", room, last).path("recovered").asBoolean()).isTrue();
				users.first().say(room, "seen" + i, "text");
				moving.expectMessage("s", "seen" + i);
				moving.abort();
				received.addAll(events(moving));
				last = received.getLast().path("position").asLong();
			}
			users.first().say(room, "missed" + i, "text");
		}
		assertThat(received).hasSize(19);
		Chain.assertUnbroken(received, start);
	}

	@Test
	void recognizeARetryOfAMessageThatTheOtherAccepted() {
		Users users = new Users("retry");
		String room = users.room();
		try (StompConnection here = connect(this.one, users.first());
				StompConnection there = connect(this.two, users.first())) {
			for (int i = 0; i < 10; i++) {
				here.expectReceipt(here.say(room, "c" + i, "text"));
				there.expectReceipt(there.say(room, "c" + i, "text"));
			}
		}
		assertThat(users.first().history(room, "").stream().skip(1))
			.extracting((event) -> event.path("clientId").asString())
			.containsExactlyElementsOf(IntStream.range(0, 10).mapToObj((i) -> "c" + i).toList());
	}

	@Test
	@Dialect
	void showTypingOnTheOther() {
		Users users = new Users("typing");
		String room = users.room();
		try (StompConnection here = connect(this.one, users.first());
				StompConnection there = connect(this.two, users.second())) {
			there.subscribe("signals", "/topic/rooms." + room + ".signals");
			here.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "");
			JsonNode typing = there.expectEvent("signals", (event) -> event.path("type").asString().equals("typing"));
			assertThat(typing.path("user").asString()).isEqualTo("typing1");
		}
	}

	@Test
	@Dialect
	void reportAUserOnlineOnceWhoMovesBetweenThem() {
		Users users = new Users("presence");
		String room = users.room();
		try (StompConnection watcher = connect(this.two, users.first())) {
			watcher.subscribe("signals", "/topic/rooms." + room + ".signals");
			StompConnection here = connect(this.one, users.second());
			expectPresence(watcher, 1, "online");
			StompConnection there = connect(this.two, users.second());
			here.close();
			awaitGone(this.one, "presence2");
			StompConnection back = connect(this.one, users.second());
			there.close();
			awaitGone(this.two, "presence2");
			back.close();
			expectPresence(watcher, 2, "offline");
			connect(this.one, users.second());
			expectPresence(watcher, 3, "online");
			assertThat(presence(watcher)).containsExactly("online", "offline", "online");
		}
	}

	private void awaitGone(ChatServer server, String user) {
		String node = (server == this.one) ? "one" : "two";
		await().until(() -> !servers.get().presence().usersOf(node, "", 1_000).contains(user));
	}

	private static void expectPresence(StompConnection watcher, int number, String state) {
		watcher.expectEvent("signals", (event) -> presence(watcher).size() >= number);
		assertThat(presence(watcher)).hasSize(number).last().isEqualTo(state);
	}

	/** Returns the presence states of the second user. */
	private static List<String> presence(StompConnection watcher) {
		return watcher.events("signals")
			.stream()
			.filter((event) -> event.path("type").asString().equals("presence")
					&& event.path("user").asString().endsWith("2"))
			.map((event) -> event.path("state").asString())
			.toList();
	}

	@Test
	void endTheSubscriptionsOfAMemberRemovedOnTheOther() {
		Users users = new Users("removed");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.follow("s", room);
			users.first().leave(room, "removed2").expect(204);
			users.first().say(room, "secret", "secret");
			there.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			there.expectEvent("s", (event) -> event.path("type").asString().equals("member.left"));
			there.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
			assertThat(events(there)).extracting((event) -> event.path("type").asString())
				.containsExactly("member.left");
		}
	}

	@Test
	@Dialect
	void endTheSubscriptionsOnTheOtherWhenTheRemovalIsNotInTheLog() {
		Users users = new Users("untold");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.follow("s", room);
			there.subscribe("signals", "/topic/rooms." + room + ".signals");
			servers.get().publish(0, new MemberRemoved(room, "untold2", "untold1"));
			there.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			there.follow("again", room);
			users.first().say(room, "secret", "secret");
			there.expectMessage("again", "secret");
			assertThat(events(there)).isEmpty();
		}
	}

	@Test
	void applyABlockThatWasSetOnTheOther() {
		Users users = new Users("blocks");
		String room = users.first().openDirect("blocks2");
		try (StompConnection there = connect(this.two, users.second())) {
			there.expectReceipt(there.say(room, "before", "text"));
			users.first().put("/api/blocks/blocks2", Map.of()).expect(204);
			expectRefusal(there, room, "send", "not-allowed");
		}
	}

	@Test
	void applyARoleThatWasGivenOnTheOther() {
		Users users = new Users("roles");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.expectReceipt(there.say(room, "before", "text"));
			users.first().changeRole(room, "roles2", "reader").expect(200);
			expectRefusal(there, room, "send", "not-allowed");
			expectRefusal(there, room, "typing", "not-allowed");
			there.expectEvent("me", (event) -> event.path("type").asString().equals("role.changed")
					&& event.path("role").asString().equals("reader"));
			users.first().changeRole(room, "roles2", "moderator").expect(200);
			ChatApi second = new ChatApi(this.two, "roles2", users.second().token());
			second.get("/api/rooms/" + room + "/bans").expect(200);
			there.expectEvent("me", (event) -> event.path("type").asString().equals("role.changed")
					&& event.path("role").asString().equals("moderator"));
			there.expectReceipt(there.say(room, "after", "text"));
		}
	}

	@Test
	void applyAMuteThatWasSetOnTheOther() {
		Users users = new Users("mutes");
		String room = users.room();
		String path = "/api/rooms/" + room + "/mutes/mutes2";
		try (StompConnection there = connect(this.two, users.second())) {
			there.expectReceipt(there.say(room, "before", "text"));
			users.first().put(path, Map.of("until", Instant.now().plusSeconds(3_600).toString())).expect(204);
			expectRefusal(there, room, "send", "muted");
			users.first().delete(path).expect(204);
			there.expectEvent("me",
					(event) -> event.path("type").asString().equals("role.changed") && !event.has("mutedUntil"));
			there.expectReceipt(there.say(room, "after", "text"));
		}
	}

	/** Well before the cache entry of the other server expires. */
	private static void expectRefusal(StompConnection session, String room, String action, String code) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> session.refusal("/app/rooms." + room + "." + action, "{\"clientId\":\"c\",\"text\":\"t\"}"),
					code::equals);
	}

	@Test
	void endTheSubscriptionsOfAMemberBannedOnTheOther() {
		Users users = new Users("outlaw");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.follow("s", room);
			users.first().put("/api/rooms/" + room + "/bans/outlaw2", Map.of()).expect(204);
			there.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			expectRefusal(there, room, "send", "not-a-member");
			users.first().say(room, "secret", "secret");
			there.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
			assertThat(events(there)).extracting((event) -> event.path("type").asString())
				.containsExactly("member.left");
		}
	}

	@Test
	void keepAMemberOutWhoWasRemovedOnTheOther() {
		Users users = new Users("banned");
		String room = users.first().openChannel("banned", "banned2");
		users.first().leave(room, "banned2").expect(204);
		ChatApi there = new ChatApi(this.two, "banned2", users.second().token());
		assertThat(there.join(room, "banned2").expect(403).code()).isEqualTo("not-allowed");
	}

	/**
	 * Opens a session that receives its user's own events. The user may have signed in on
	 * the other server.
	 */
	private static StompConnection connect(ChatServer server, ChatApi user) {
		StompConnection connection = StompConnection.open(server).connect(user.token());
		connection.subscribe("me", "/user/queue/events");
		return connection;
	}

	private static List<JsonNode> events(StompConnection connection) {
		return connection.events("s").stream().skip(1).toList();
	}

	/** Two users whose REST calls go to the first server, like those of their devices. */
	private final class Users {

		private final String name;

		Users(String name) {
			this.name = name;
			second();
		}

		ChatApi first() {
			return TwoServersTests.this.one.user(this.name + "1");
		}

		ChatApi second() {
			return TwoServersTests.this.one.user(this.name + "2");
		}

		String room() {
			return first().openGroup(this.name, this.name + "2");
		}

	}

}
