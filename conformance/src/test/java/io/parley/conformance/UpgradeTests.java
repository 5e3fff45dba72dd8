package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.Backends;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.LaterBuild;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A later build writes to the log of two servers and workers of this build. */
@Tag("exhaustive")
@Relay
@ExtendWith(BackendCondition.class)
class UpgradeTests {

	private static final int EACH = 25;

	@Test
	void losesDuplicatesAndReordersNothingWhileALaterBuildWrites() throws Exception {
		assumeTrue(Backends.takesSeveralServers(), "This backend is for one server");
		try (TwoServers servers = new TwoServers();
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			ChatServer one = servers.one();
			ChatApi anna = one.user("anna");
			ChatApi bert = one.user("bert");
			String room = anna.openGroup("Upgrade", "bert");
			try (StompConnection here = connect(one, anna); StompConnection there = connect(servers.two(), bert)) {
				long start = here.follow("s", room).path("head").asLong();
				there.follow("s", room);
				List<Future<?>> senders = List.of(threads.submit(() -> say(here, room, "one")),
						threads.submit(() -> say(there, room, "two")), threads.submit(() -> write(servers, room)));
				for (Future<?> sender : senders) {
					sender.get();
				}
				here.expectReceipt(here.say(room, "end", "end"));
				here.expectMessage("s", "end");
				there.expectMessage("s", "end");
				List<JsonNode> events = events(here);
				assertThat(events(there)).isEqualTo(events);
				Chain.assertUnbroken(events, start);
				assertThat(events.stream().map((event) -> event.path("clientId").asString()))
					.containsExactlyInAnyOrderElementsOf(everySent());
				assertThat(events).filteredOn((event) -> event.path("type").asString().equals(LaterBuild.TYPE))
					.hasSize(2 * EACH)
					.allSatisfy((event) -> assertThat(event.path("votes")).hasToString("[1,2.5]"));
				assertResume(servers.two(), anna, room, events);
				assertStored(servers, anna, room, start, events);
			}
		}
	}

	private static void say(StompConnection sender, String room, String name) {
		for (int i = 0; i < EACH; i++) {
			sender.expectReceipt(sender.say(room, name + i, "text"));
		}
	}

	private static void write(TwoServers servers, String room) {
		for (int i = 0; i < EACH; i++) {
			servers.append(room, LaterBuild.counting(room, "anna", "counting" + i));
			servers.append(room, LaterBuild.plain(room, "anna", "plain" + i));
		}
	}

	private static List<String> everySent() {
		List<String> sent = new ArrayList<>(List.of("end"));
		for (int i = 0; i < EACH; i++) {
			int number = i;
			Stream.of("one", "two", "counting", "plain").forEach((name) -> sent.add(name + number));
		}
		return sent;
	}

	/** A client that reconnects later gets the same events. */
	private static void assertResume(ChatServer server, ChatApi user, String room, List<JsonNode> events) {
		try (StompConnection late = connect(server, user)) {
			assertThat(late.follow("s", room, events.get(9).path("position").asLong()).path("recovered").asBoolean())
				.isTrue();
			assertThat(events(late)).isEqualTo(events.subList(10, events.size()));
		}
	}

	private static void assertStored(TwoServers servers, ChatApi user, String room, long start, List<JsonNode> events) {
		List<JsonNode> history = user.history(room, "?limit=200&after=" + start);
		assertThat(Chain.positions(history)).isEqualTo(Chain.positions(events));
		Chain.assertUnbroken(history, start);
		await().atMost(java.time.Duration.ofSeconds(60)).until(() -> servers.unread() == 0);
		List<Row> rows = servers.database()
			.query("SELECT position, prev, number, type FROM room_event WHERE room_id = ? AND position > ? ORDER BY position",
					(row, index) -> new Row(row.getLong(1), row.getLong(2), row.getLong(3), row.getString(4)), room,
					start);
		assertThat(rows).isEqualTo(history.stream()
			.map((event) -> new Row(event.path("position").asLong(), event.path("prev").asLong(),
					event.path("number").asLong(), event.path("type").asString()))
			.toList());
		long number = 0;
		for (JsonNode event : history) {
			number += event.path("clientId").asString().startsWith("plain") ? 0 : 1;
			assertThat(event.path("number").asLong()).isEqualTo(number);
		}
		assertThat(servers.database().queryForObject("SELECT COUNT(*) FROM parked_event", Long.class)).isZero();
	}

	private record Row(long position, long prev, long number, String type) {
	}

	private static StompConnection connect(ChatServer server, ChatApi user) {
		return StompConnection.open(server).connect(user.token());
	}

	private static List<JsonNode> events(StompConnection connection) {
		return connection.events("s").stream().skip(1).toList();
	}

}
