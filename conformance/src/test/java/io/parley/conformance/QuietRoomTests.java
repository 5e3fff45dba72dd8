package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client returns to the rooms that its server has looked up together, while another
 * server changes them.
 */
@Tag("exhaustive")
class QuietRoomTests {

	@SuppressWarnings("NullAway.Init")
	private static TwoServers servers;

	@BeforeAll
	static void start() {
		servers = TwoServers.onBus();
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

	private static String[] rooms(ChatServer server, String owner, String member) {
		return new String[] { server.room(owner, member), server.room(owner, member), server.room(owner, member) };
	}

	@Test
	void keepOutAMemberWhomTheOtherServerRemoves() {
		ChatServer one = servers.one();
		ChatServer two = servers.two();
		String[] rooms = rooms(one, "anna", "bert");
		try (StompConnection bert = two.connectWithEvents("bert")) {
			bert.follow("first", rooms[0]);
			one.user("anna").leave(rooms[1], "bert").expect(204);
			bert.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			assertThat(bert.expectError("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + rooms[1]), "")
				.path("code")
				.asString()).isEqualTo("not-a-member");
			bert.follow("third", rooms[2]);
			one.user("anna").post("/api/rooms/" + rooms[1] + "/members", Map.of("username", "bert")).expect(201);
			bert.expectEvent("me", (event) -> event.path("type").asString().equals("room.added")
					&& event.path("room").asString().equals(rooms[1]));
			bert.follow("second", rooms[1]);
		}
	}

	@Test
	void findARoomThatWasOpenedAMomentAgo() {
		ChatServer one = servers.one();
		ChatServer two = servers.two();
		String[] rooms = rooms(one, "cleo", "dora");
		try (StompConnection dora = two.connectWithEvents("dora")) {
			dora.follow("first", rooms[0]);
			for (int i = 0; i < 20; i++) {
				String id = "new" + i;
				String opened = one.room("cleo", "dora");
				long head = dora.follow(id, opened).path("head").asLong();
				one.user("cleo").say(opened, id, "text");
				dora.expectMessage(id, id);
				Chain.assertUnbroken(dora.events(id).stream().skip(1).toList(), head);
			}
		}
	}

	/** The server has just started, and its reader of the log may be behind the store. */
	@Test
	void missNothingOnAServerThatHasJustStarted() throws Exception {
		String[] rooms = rooms(servers.one(), "emil", "fritz");
		ChatServer one = servers.one();
		List<Long> positions = new ArrayList<>();
		for (String room : rooms) {
			positions.add(one.user("emil").say(room, "seen", "text"));
		}
		AtomicBoolean enough = new AtomicBoolean();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<?> sender = threads.submit(() -> {
				for (int i = 0; !enough.get(); i++) {
					one.user("emil").say(rooms[i % 3], "c" + i, "text");
				}
			});
			try {
				servers.restart(1);
				ChatServer two = servers.two();
				for (int round = 0; round < 5; round++) {
					try (StompConnection fritz = two.connect("fritz")) {
						for (int i = 0; i < 3; i++) {
							assertThat(fritz.follow("s" + i, rooms[i], positions.get(i)).path("recovered").asBoolean())
								.isTrue();
						}
						for (int i = 0; i < 3; i++) {
							List<JsonNode> events = received(fritz, i, positions.get(i));
							Chain.assertUnbroken(events, positions.get(i));
							positions.set(i, events.getLast().path("position").asLong());
						}
					}
				}
			}
			finally {
				enough.set(true);
			}
			sender.get();
		}
	}

	private static List<JsonNode> received(StompConnection session, int room, long after) {
		session.expectEvent("s" + room, (event) -> event.path("position").asLong() > after);
		return session.events("s" + room).stream().skip(1).toList();
	}

}
