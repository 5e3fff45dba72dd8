package io.parley.server.database;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.RecordFormat;
import io.parley.log.RoomLog;
import io.parley.persistence.PersistenceWorker;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.RestartableServer;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Counts the statements of clients that return to quiet rooms. */
@Tag("exhaustive")
class ResumeStatementsIntegrationTests {

	private static final int ROOMS = 20;

	/** More than the tail reads again at the start. */
	private static final int NEWER_RECORDS = 2_500;

	@SuppressWarnings("NullAway.Init")
	private static RestartableServer started;

	/** The newest position of each room. */
	private static final Map<String, Long> heads = new LinkedHashMap<>();

	/** Starts a server that has read nothing of the rooms. */
	@BeforeAll
	static void start() {
		started = new RestartableServer("chat.log.partitions=1");
		ChatServer server = started.server();
		for (int i = 0; i < ROOMS; i++) {
			String room = server.room("anna", "bert", "cleo");
			heads.put(room, server.user("anna").say(room, "c" + i, "text"));
		}
		fill(server.room("dora"));
		heads.forEach((room,
				head) -> server.user("cleo").put("/api/rooms/" + room + "/read", Map.of("position", head)).expect(204));
		started.restart();
		started.server().user("anna");
		started.server().user("bert");
	}

	private static void fill(String room) {
		RoomLog log = started.bean(RoomLog.class);
		CompletableFuture
			.allOf(IntStream.range(0, NEWER_RECORDS)
				.mapToObj((i) -> new MessagePosted(room, "id" + i, "dora", "fill" + i, Instant.now(), "text", Map.of()))
				.map((message) -> log.append(0, EventRecord.of(message).encode(RecordFormat.NEWEST)))
				.toArray(CompletableFuture[]::new))
			.join();
		await().until(() -> started.bean(PersistenceWorker.class).lag() == 0);
	}

	@AfterAll
	static void stop() {
		started.close();
	}

	/** The second user finds what the first one has left in memory. */
	@Test
	void ofManyRoomsAtOnce() {
		List<Integer> counts = List.of(resume("anna"), resume("anna"), resume("bert"));
		assertThat(counts).as("at a server that has just started, again, and another user").containsExactly(2, 0, 1);
	}

	/** The server was stopped right after the read markers of the third user. */
	@Test
	void keepReadMarkers() {
		JsonNode rooms = started.server().user("cleo").get("/api/rooms").expect(200).body();
		assertThat(rooms).hasSize(ROOMS).allSatisfy((room) -> {
			assertThat(room.path("read").asLong()).isEqualTo(heads.get(room.path("id").asString()));
			assertThat(room.path("unread").asInt()).isZero();
		});
	}

	/** Returns the number of statements for all rooms. */
	private int resume(String user) {
		try (StompConnection session = started.server().connectWithEvents(user)) {
			started.statements().clear();
			heads.forEach((room, head) -> {
				JsonNode subscribed = session.follow(room, room, head);
				assertThat(subscribed.path("recovered").asBoolean()).isTrue();
				assertThat(subscribed.path("head").asLong()).isEqualTo(head);
				assertThat(session.events(room)).hasSize(1);
			});
			return started.statements().ofRequests().size();
		}
	}

}
