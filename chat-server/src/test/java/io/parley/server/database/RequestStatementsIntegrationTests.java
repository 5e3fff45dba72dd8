package io.parley.server.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.persistence.PersistenceWorker;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.CountedStatements;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Counts the statements of what clients do often. */
@UnlimitedServer
@Import(CountedStatements.class)
@Tag("exhaustive")
class RequestStatementsIntegrationTests {

	private final ChatServer server;

	private final CountedStatements statements;

	private final PersistenceWorker persistence;

	RequestStatementsIntegrationTests(ChatServer server, CountedStatements statements, PersistenceWorker persistence) {
		this.server = server;
		this.statements = statements;
		this.persistence = persistence;
	}

	@Test
	void ofAListOfManyRooms() {
		for (int i = 0; i < 50; i++) {
			String room = this.server.room("anna", "bert");
			long first = this.server.user("anna").say(room, "first", "text");
			this.server.user("anna").say(room, "last", "text " + i);
			this.server.user("bert").put("/api/rooms/" + room + "/read", Map.of("position", first)).expect(204);
		}
		await().until(() -> this.persistence.lag() == 0);
		this.statements.clear();
		JsonNode listed = this.server.user("bert").get("/api/rooms").expect(200).body();
		List<String> sent = this.statements.ofRequests();
		assertThat(listed).hasSize(50).allSatisfy((room) -> {
			assertThat(room.path("lastEvent").path("text").asString()).startsWith("text ");
			assertThat(room.path("unread").asInt()).isEqualTo(1);
		});
		assertThat(sent).hasSizeLessThanOrEqualTo(4);
	}

	@Test
	void ofAListOfDirectRoomsWithThePresenceOfTheOthers() {
		for (int i = 0; i < 20; i++) {
			this.server.user("peer" + i);
			this.server.user("carl").openDirect("peer" + i);
		}
		await().until(() -> this.persistence.lag() == 0);
		this.statements.clear();
		JsonNode listed = this.server.user("carl").get("/api/rooms?presence=true").expect(200).body();
		List<String> sent = this.statements.ofRequests();
		assertThat(listed).hasSize(20)
			.allSatisfy((room) -> assertThat(room.path("presence").path("online").isBoolean()).isTrue());
		assertThat(sent).hasSizeLessThanOrEqualTo(6);
	}

	@Test
	void ofMessages() {
		String room = this.server.room("mira", "niko");
		ChatApi niko = this.server.user("niko");
		niko.say(room, "first", "text");
		await().until(() -> this.persistence.lag() == 0);
		this.statements.clear();
		for (int i = 0; i < 5; i++) {
			niko.say(room, "c" + i, "text");
		}
		assertThat(this.statements.ofRequests()).isEmpty();
		this.server.user("mira").put("/api/rooms/" + room + "/slow-mode", Map.of("seconds", 60)).expect(204);
		this.statements.clear();
		niko.say(room, "slow", "text");
		assertThat(this.statements.ofRequests()).hasSizeBetween(2, 3)
			.allSatisfy((sql) -> assertThat(sql).containsAnyOf("slow_mode"));
		this.statements.clear();
		for (int i = 0; i < 5; i++) {
			this.server.user("mira").say(room, "free" + i, "text");
		}
		assertThat(this.statements.ofRequests()).hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void ofPins() {
		String room = this.server.room("petra", "quinn");
		ChatApi petra = this.server.user("petra");
		long first = petra.say(room, "first", "text");
		long second = petra.say(room, "second", "text");
		await().until(() -> this.persistence.lag() == 0);
		this.statements.clear();
		petra.pin(room, first, true).expect(202);
		assertThat(this.statements.ofRequests()).hasSizeLessThanOrEqualTo(2);
		await().until(() -> this.persistence.lag() == 0);
		this.statements.clear();
		petra.pin(room, first, true).expect(202);
		assertThat(this.statements.ofRequests()).isEmpty();
		petra.pin(room, first, false).expect(202);
		assertThat(this.statements.ofRequests()).isEmpty();
		petra.pin(room, first, true).expect(202);
		petra.pin(room, second, true).expect(202);
		await().until(() -> this.persistence.lag() == 0);
		this.statements.clear();
		assertThat(petra.pins(room)).hasSize(2);
		assertThat(this.statements.ofRequests()).hasSizeLessThanOrEqualTo(4);
		this.server.user("quinn").say(room, "before", "text");
		petra.patch("/api/rooms/" + room, Map.of("memberPins", true)).expect(200);
		this.statements.clear();
		for (int i = 0; i < 5; i++) {
			this.server.user("quinn").say(room, "c" + i, "text");
		}
		assertThat(this.statements.ofRequests()).as("plain messages after settings were changed")
			.hasSizeLessThanOrEqualTo(1);
	}

	@Test
	void ofReadMarkers() {
		List<String> rooms = new ArrayList<>();
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			String room = this.server.room("writer", "reader");
			rooms.add(room);
			positions.add(this.server.user("writer").say(room, "c1", "one"));
			this.server.user("writer").say(room, "c2", "two");
		}
		await().until(() -> this.persistence.lag() == 0);
		try (StompConnection reader = this.server.connectWithEvents("reader")) {
			rooms.forEach((room) -> reader.follow(room, room));
			this.statements.clear();
			long start = System.nanoTime();
			List<String> receipts = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				receipts
					.add(reader.sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + rooms.get(i) + ".read"),
							"{\"position\":" + positions.get(i) + "}"));
			}
			reader.expectReceipts(receipts);
			await().untilAsserted(() -> assertThat(reader.events("me")).filteredOn(
					(event) -> positions.contains(event.path("read").asLong()) && event.path("unread").asLong() == 1)
				.hasSize(50));
			int later = this.statements.of("read-markers").size();
			int path = this.statements.ofRequests().size() - later;
			assertThat(path).as("%s", this.statements).isZero();
			// Those of each tenth of a second are handled together.
			long tenths = (System.nanoTime() - start) / 100_000_000;
			// Two of them store the markers that are signalled.
			assertThat(later).as("%s", this.statements).isBetween(4, (int) (6 * (tenths + 2)));
		}
	}

	@Test
	void ofReadersAndMembers() {
		String room = this.server.room("lena", "max");
		ChatApi lena = this.server.user("lena");
		long position = lena.say(room, "c1", "text");
		await().until(() -> this.persistence.lag() == 0);
		lena.get("/api/rooms/" + room).expect(200);
		this.statements.clear();
		lena.get("/api/rooms/" + room + "/messages/" + position + "/readers").expect(200);
		assertThat(this.statements.ofRequests()).as("the message is in memory").hasSize(1);
		this.statements.clear();
		lena.get("/api/rooms/" + room + "/members").expect(200);
		assertThat(this.statements.ofRequests()).filteredOn((sql) -> sql.contains("read_marker")).hasSize(1);
		assertThat(this.statements.ofRequests()).noneMatch((sql) -> sql.contains("last_seen"));
	}

	/** Reports cost nothing until they are stored. */
	@Test
	void ofDeliveredMessages() {
		String room = this.server.room("lena", "max");
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			positions.add(this.server.user("lena").say(room, "d" + i, "text"));
		}
		await().until(() -> this.persistence.lag() == 0);
		try (StompConnection max = this.server.connect("max")) {
			max.follow("s", room);
			this.statements.clear();
			long start = System.nanoTime();
			max.expectReceipts(positions.stream()
				.map((position) -> max.sendWithReceipt("SEND",
						Map.of("destination", "/app/rooms." + room + ".delivered"), "{\"position\":" + position + "}"))
				.toList());
			assertThat(this.statements.ofRequests()).as("%s", this.statements).isEmpty();
			await().until(() -> this.statements.of("job-").stream().anyMatch((sql) -> sql.contains("SET delivered")));
			long seconds = (System.nanoTime() - start) / 1_000_000_000;
			assertThat(this.statements.of("job-")).filteredOn((sql) -> sql.contains("delivered"))
				.hasSizeLessThanOrEqualTo((int) (seconds / 5 + 1) * 2 + 2);
		}
	}

	@Test
	void ofUnreadCounts() {
		List<String> rooms = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			rooms.add(this.server.room("poster", "listener"));
		}
		try (StompConnection listener = this.server.connectWithEvents("listener")) {
			await().until(() -> this.persistence.lag() == 0);
			this.statements.clear();
			long start = System.nanoTime();
			// A client repeats a message while the database is too slow to look up its
			// rights.
			rooms.forEach((room) -> await().until(() -> this.server.user("poster")
				.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c", "text", "text"))
				.status() == 202));
			await().untilAsserted(() -> assertThat(listener.events("me"))
				.filteredOn(
						(event) -> rooms.contains(event.path("room").asString()) && event.path("unread").asInt() == 1)
				.extracting((event) -> event.path("room").asString())
				.containsOnlyOnceElementsOf(rooms));
			long seconds = (System.nanoTime() - start) / 1_000_000_000;
			assertThat(this.statements.of("job-")).filteredOn((sql) -> sql.contains("room_head"))
				.hasSizeBetween(1, (int) seconds + 2);
		}
	}

	@Test
	void ofSubscriptionsAsOthersSeeThem() {
		List<String> rooms = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			rooms.add(this.server.room("follower"));
		}
		this.statements.clear();
		try (StompConnection follower = this.server.connect("follower")) {
			rooms.forEach((room) -> follower.follow(room, room));
			await().until(
					() -> this.statements.of("presence-").stream().anyMatch((sql) -> sql.contains("followed_rooms")));
			assertThat(this.statements.of("presence-")).filteredOn((sql) -> sql.contains("followed_rooms"))
				.as("one row, which is written again when subscriptions follow later than the first ones")
				.hasSizeLessThan(rooms.size() / 2);
		}
	}

}
