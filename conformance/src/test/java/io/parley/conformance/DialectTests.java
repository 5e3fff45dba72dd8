package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.room.MemberRemoved;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The tests of two servers whose outcome can depend on the dialect of a broker: messages
 * and their order, the events of users, signals, and the end of subscriptions.
 */
abstract class DialectTests {

	private static final int SENDERS = 8;

	private static final int EACH = 12;

	private final TwoServers servers;

	final ChatServer one;

	final ChatServer two;

	DialectTests(TwoServers servers) {
		this.servers = servers;
		this.one = servers.one();
		this.two = servers.two();
	}

	@Test
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
		await().until(() -> !this.servers.presence().usersOf(node, "", 1_000).contains(user));
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
	void endTheSubscriptionsOnTheOtherWhenTheRemovalIsNotInTheLog() {
		Users users = new Users("untold");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.follow("s", room);
			there.subscribe("signals", "/topic/rooms." + room + ".signals");
			this.servers.publish(0, new MemberRemoved(room, "untold2", "untold1"));
			there.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			there.follow("again", room);
			users.first().say(room, "secret", "secret");
			there.expectMessage("again", "secret");
			assertThat(events(there)).isEmpty();
		}
	}

	/**
	 * Opens a session that receives its user's own events. The user may have signed in on
	 * the other server.
	 */
	static StompConnection connect(ChatServer server, ChatApi user) {
		StompConnection connection = StompConnection.open(server).connect(user.token());
		connection.subscribe("me", "/user/queue/events");
		return connection;
	}

	static List<JsonNode> events(StompConnection connection) {
		return connection.events("s").stream().skip(1).toList();
	}

	/** Two users whose REST calls go to the first server, like those of their devices. */
	final class Users {

		private final String name;

		Users(String name) {
			this.name = name;
			second();
		}

		ChatApi first() {
			return DialectTests.this.one.user(this.name + "1");
		}

		ChatApi second() {
			return DialectTests.this.one.user(this.name + "2");
		}

		String room() {
			return first().openGroup(this.name, this.name + "2");
		}

	}

}
