package io.parley.conformance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.RestartableServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.room.ReadMarker;
import io.parley.store.room.ReadMarkerRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Readers of a message, deliveries, and users who are away. */
@UnlimitedServer
class PeopleTests {

	private final ChatServer server;

	private final AccountRepository accounts;

	private final ReadMarkerRepository markers;

	private final JdbcTemplate jdbc;

	PeopleTests(ChatServer server, AccountRepository accounts, ReadMarkerRepository markers, JdbcTemplate jdbc) {
		this.server = server;
		this.accounts = accounts;
		this.markers = markers;
		this.jdbc = jdbc;
	}

	@Test
	void listsTheMembersWhoHaveReadAMessage() {
		String room = this.server.room("anna", "bert", "cleo", "dora");
		long first = this.server.user("anna").say(room, "c1", "one");
		long second = this.server.user("anna").say(room, "c2", "two");
		assertReaders("bert", room, first, "anna");
		try (StompConnection bert = this.server.connect("bert")) {
			// Each answer contains what was confirmed before, stored or not.
			report(bert, room, "read", first);
			assertReaders("anna", room, first, "anna", "bert");
			this.server.user("cleo").put("/api/rooms/" + room + "/read", Map.of("position", second)).expect(204);
			assertReaders("dora", room, first, "anna", "bert", "cleo");
			assertReaders("dora", room, second, "anna", "cleo");
			long third = this.server.user("dora").say(room, "c3", "three");
			assertReaders("anna", room, second, "anna", "cleo", "dora");
			assertReaders("anna", room, third, "dora");
			this.server.user("cleo").leave(room, "cleo").expect(204);
			assertReaders("anna", room, second, "anna", "dora");
			this.server.user("anna").deleteMessage(room, first).expect(202);
			assertReaders("bert", room, first, "anna", "bert", "dora");
		}
	}

	/** Markers of the room do not count for replies. */
	@Test
	void listsTheMembersWhoHaveReadAReply() {
		String room = this.server.room("anna", "bert", "cleo");
		long root = this.server.user("anna").say(room, "c1", "root");
		String thread = "/api/rooms/" + room + "/threads/" + root;
		long reply = this.server.user("bert")
			.post(thread + "/messages", Map.of("clientId", "r1", "text", "reply"))
			.expect(202)
			.body()
			.path("position")
			.asLong();
		this.server.user("cleo").put("/api/rooms/" + room + "/read", Map.of("position", reply)).expect(204);
		assertReaders("anna", room, reply, "bert");
		this.server.user("cleo").put(thread + "/read", Map.of("position", reply)).expect(204);
		assertReaders("anna", room, reply, "bert", "cleo");
		this.server.user("cleo").leave(room, "cleo").expect(204);
		assertReaders("anna", room, reply, "bert");
	}

	@Test
	void namesTwoHundredReadersAndCountsTheOthers() {
		List<String> members = IntStream.range(0, 205).mapToObj((i) -> "many%03d".formatted(i)).toList();
		members.forEach((user) -> this.accounts.save(new Account(user, "no password", Instant.now())));
		String room = this.server.user("anna").openGroup("many", members.toArray(String[]::new));
		long position = this.server.user("anna").say(room, "c1", "text");
		this.markers.advance(members.stream().map((user) -> new ReadMarker(room, user, position)).toList());
		JsonNode body = readers("anna", room, position);
		assertThat(body.path("count").asInt()).isEqualTo(206);
		assertThat(names(body)).hasSize(200).startsWith("anna", "many000").endsWith("many198");
	}

	@Test
	void listsNoReadersOfWhatIsNoMessageForNobodyElse() {
		String room = this.server.room("anna");
		long created = this.server.user("anna").history(room, "").getFirst().path("position").asLong();
		for (long position : List.of(created, created + 1_000_000, 0L, -1L, Long.MAX_VALUE)) {
			assertThat(this.server.user("anna").get(readersOf(room, position)).expect(404).code())
				.isEqualTo("not-found");
		}
		assertThat(this.server.user("anna").get("/api/rooms/" + room + "/messages/x/readers").expect(400).code())
			.isEqualTo("bad-request");
		long position = this.server.user("anna").say(room, "c1", "text");
		assertThat(this.server.user("bert").get(readersOf(room, position)).expect(403).code())
			.isEqualTo("not-a-member");
	}

	@Test
	void blockedUsersSeeOnlyTheirOwnMarkers() {
		String room = openDirect("ines", "jana");
		String group = this.server.room("ines", "jana");
		long position = this.server.user("ines").say(room, "c1", "text");
		long inGroup = this.server.user("ines").say(group, "g1", "text");
		try (StompConnection jana = this.server.connect("jana"); StompConnection ines = this.server.connect("ines")) {
			report(jana, room, "read", position);
			assertReaders("ines", room, position, "ines", "jana");
			long next = this.server.user("ines").say(room, "c2", "text");
			this.server.user("jana").put("/api/blocks/ines", Map.of()).expect(204);
			ines.subscribe("signals", "/topic/rooms." + room + ".signals");
			ines.subscribe("group", "/topic/rooms." + group + ".signals");
			report(jana, room, "delivered", next);
			// Reports are handled in their order.
			report(jana, group, "delivered", inGroup);
			ines.expectEvent("group", (event) -> isDelivered(event, "jana", inGroup));
			assertThat(member("jana", room, "jana").path("delivered").asLong()).isEqualTo(next);
			assertThat(member("ines", room, "jana").path("delivered").asLong()).isEqualTo(position);
			assertReaders("ines", room, position, "ines");
			assertReaders("jana", room, position, "jana");
			this.server.user("jana").delete("/api/blocks/ines").expect(204);
			long last = this.server.user("ines").say(room, "c3", "text");
			report(jana, room, "delivered", last);
			ines.expectEvent("signals", (event) -> isDelivered(event, "jana", last));
			assertThat(ines.events("signals")).noneMatch((event) -> isDelivered(event, "jana", next));
		}
	}

	@FanOut
	@Test
	void tellsTheRoomUpToWhereMessagesAreDelivered() {
		String room = this.server.room("anna", "bert", "cleo");
		long first = this.server.user("anna").say(room, "c1", "one");
		long second = this.server.user("anna").say(room, "c2", "two");
		long third = this.server.user("anna").say(room, "c3", "three");
		try (StompConnection anna = this.server.connect("anna");
				StompConnection bert = this.server.connect("bert");
				StompConnection cleo = this.server.connect("cleo")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			report(bert, room, "delivered", second);
			JsonNode signal = anna.expectEvent("signals", (event) -> isDelivered(event, "bert", second));
			assertThat(signal.path("user").asString()).isEqualTo("bert");
			assertThat(signal.path("position").asLong()).isEqualTo(second);
			assertThat(signal.path("room").asString()).isEqualTo(room);
			assertThat(member("anna", room, "bert").path("delivered").asLong()).isEqualTo(second);
			assertThat(member("anna", room, "bert").path("read").asLong()).isZero();
			assertThat(member("bert", room, "anna").path("delivered").asLong()).as("who posts has it").isEqualTo(third);
			// It never moves back, and what is read is delivered.
			report(bert, room, "delivered", first);
			report(cleo, room, "read", third);
			anna.expectEvent("signals", (event) -> event.path("type").asString().equals("read"));
			assertThat(member("anna", room, "cleo").path("delivered").asLong()).isEqualTo(third);
			report(bert, room, "delivered", third);
			anna.expectEvent("signals", (event) -> isDelivered(event, "bert", third));
			assertThat(anna.events("signals")).filteredOn(PeopleTests::isDelivered)
				.allSatisfy(
						(event) -> assertThat(event.path("positions").path("bert").asLong(second)).isIn(second, third));
			assertThat(this.server.user("anna").history(room, "")).as("nothing is in the log").hasSize(4);
			await().untilAsserted(() -> assertThat(this.jdbc.queryForObject(
					"SELECT MAX(delivered) FROM read_marker WHERE room_id = ? AND username = 'bert'", Long.class, room))
				.isEqualTo(third));
		}
	}

	@FanOut
	@Test
	void gathersWhatIsDelivered() {
		String room = this.server.room("anna", "bert");
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			positions.add(this.server.user("anna").say(room, "c" + i, "text"));
		}
		try (StompConnection anna = this.server.connect("anna"); StompConnection bert = this.server.connect("bert")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			long start = System.nanoTime();
			positions.forEach((position) -> report(bert, room, "delivered", position));
			anna.expectEvent("signals", (event) -> isDelivered(event, "bert", positions.getLast()));
			long seconds = (System.nanoTime() - start) / 1_000_000_000;
			assertThat(anna.events("signals")).filteredOn(PeopleTests::isDelivered)
				.hasSizeLessThanOrEqualTo((int) seconds + 2);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"position\":\"1\"}", "{\"position\":1.5}", "[]", "{\"position\":-1}",
			"{\"position\":9007199254740991}", "{\"position\":99999999999999999999}" })
	void refusesInvalidReportsOfDelivery(String body) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna.expectError("/app/rooms." + room + ".delivered", body).path("code").asString())
				.isIn("bad-position", "bad-message");
			report(anna, room, "delivered", 0);
		}
	}

	/** Written every 5 seconds, and when the server stops. */
	@Test
	void keepsWhatIsDeliveredWhenTheServerRestarts() {
		try (RestartableServer restartable = new RestartableServer()) {
			String room = restartable.server().room("anna", "bert");
			long position = restartable.server().user("anna").say(room, "c1", "text");
			try (StompConnection bert = restartable.server().connect("bert")) {
				report(bert, room, "delivered", position);
				restartable.restart();
			}
			assertThat(member(restartable.server(), "anna", room, "bert").path("delivered").asLong())
				.isEqualTo(position);
		}
	}

	@FanOut
	@Test
	void aUserIsAwayWhileAllSessionsSaySo() {
		String room = this.server.room("anna", "away1");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			StompConnection laptop = this.server.connect("away1");
			StompConnection phone = this.server.connect("away1");
			expectPresence(anna, 1, "online");
			setAway(laptop, true);
			assertThat(member("anna", room, "away1").has("away")).isFalse();
			setAway(phone, true);
			expectPresence(anna, 2, "away");
			assertThat(member("anna", room, "away1").path("away").asBoolean()).isTrue();
			assertThat(member("anna", room, "away1").path("online").asBoolean()).isTrue();
			setAway(phone, false);
			expectPresence(anna, 3, "online");
			phone.close();
			expectPresence(anna, 4, "away");
			StompConnection tablet = this.server.connect("away1");
			expectPresence(anna, 5, "online");
			assertThat(member("anna", room, "away1").has("away")).isFalse();
			tablet.close();
			laptop.close();
			// The tablet's end alone would make the user away, but both ended.
			anna.expectEvent("signals", (event) -> event.path("state").asString().equals("offline"));
			assertThat(member("anna", room, "away1").path("online").asBoolean()).isFalse();
			assertThat(member("anna", room, "away1").has("away")).isFalse();
		}
	}

	@Test
	void theListOfRoomsHasThePresenceOfDirectPeersIfAskedFor() {
		String room = openDirect("kira", "liam");
		String group = this.server.room("kira", "liam");
		try (StompConnection liam = this.server.connect("liam")) {
			assertThat(listed("kira", "?presence=true", room).path("presence").toString())
				.isEqualTo("{\"online\":true}");
			setAway(liam, true);
			assertThat(listed("kira", "?presence=true", room).path("presence").toString())
				.isEqualTo("{\"online\":true,\"away\":true}");
			assertThat(listed("kira", "?presence=true", group).has("presence")).isFalse();
			assertThat(listed("kira", "", room).has("presence")).isFalse();
			for (String blocker : List.of("liam", "kira")) {
				String other = blocker.equals("liam") ? "kira" : "liam";
				this.server.user(blocker).put("/api/blocks/" + other, Map.of()).expect(204);
				assertThat(listed("kira", "?presence=true", room).path("presence").toString())
					.isEqualTo("{\"online\":false}");
				this.server.user(blocker).delete("/api/blocks/" + other).expect(204);
			}
		}
		assertThat(this.server.user("kira").get("/api/rooms?presence=x").expect(400).code()).isEqualTo("bad-request");
	}

	private JsonNode listed(String viewer, String query, String room) {
		JsonNode rooms = this.server.user(viewer).get("/api/rooms" + query).expect(200).body();
		return StreamSupport.stream(rooms.spliterator(), false)
			.filter((one) -> one.path("id").asString().equals(room))
			.findFirst()
			.orElseThrow();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "[]", "{\"away\":\"true\"}", "{\"away\":1}", "{\"away\":null}" })
	void refusesAnInvalidPresence(String body) {
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna.expectError("/app/presence", body).path("code").asString()).isEqualTo("bad-message");
		}
	}

	@Test
	void doesNotShowWhenUsersWereLastSeenUnlessItIsOn() {
		String room = this.server.room("anna", "bert");
		this.server.connect("bert").close();
		assertThat(this.server.user("anna").get("/api/me/presence").expect(200).body().toString())
			.isEqualTo("{\"lastSeen\":false,\"hideLastSeen\":false}");
		assertThat(member("anna", room, "bert").has("lastSeen")).isFalse();
		assertThat(this.jdbc.queryForList("SELECT seen_at FROM last_seen WHERE seen_at IS NOT NULL")).isEmpty();
	}

	private String openDirect(String user, String peer) {
		this.server.user(peer);
		return this.server.user(user).openDirect(peer);
	}

	private void assertReaders(String viewer, String room, long position, String... expected) {
		JsonNode body = readers(viewer, room, position);
		assertThat(names(body)).containsExactly(expected);
		assertThat(body.path("count").asInt()).isEqualTo(expected.length);
	}

	private JsonNode readers(String viewer, String room, long position) {
		return this.server.user(viewer).get(readersOf(room, position)).expect(200).body();
	}

	private static String readersOf(String room, long position) {
		return "/api/rooms/" + room + "/messages/" + position + "/readers";
	}

	private static List<String> names(JsonNode body) {
		return StreamSupport.stream(body.path("readers").spliterator(), false).map(JsonNode::asString).toList();
	}

	private JsonNode member(String viewer, String room, String name) {
		return member(this.server, viewer, room, name);
	}

	static JsonNode member(ChatServer server, String viewer, String room, String name) {
		JsonNode members = server.user(viewer).get("/api/rooms/" + room).expect(200).body().path("members");
		return StreamSupport.stream(members.spliterator(), false)
			.filter((member) -> member.path("username").asString().equals(name))
			.findFirst()
			.orElseThrow();
	}

	static void report(StompConnection connection, String room, String action, long position) {
		connection.confirmed("SEND", Map.of("destination", "/app/rooms." + room + "." + action),
				"{\"position\":" + position + "}");
	}

	static void setAway(StompConnection connection, boolean away) {
		connection.confirmed("SEND", Map.of("destination", "/app/presence"), "{\"away\":" + away + "}");
	}

	private static boolean isDelivered(JsonNode event) {
		return event.path("type").asString().equals("delivered");
	}

	static boolean isDelivered(JsonNode event, String user, long position) {
		return isDelivered(event) && event.path("positions").path(user).asLong() == position;
	}

	/** Waits for the n-th change of the user who is sometimes away. */
	static void expectPresence(StompConnection watcher, int number, String state) {
		watcher.expectEvent("signals", (event) -> presence(watcher).size() >= number);
		assertThat(presence(watcher)).hasSize(number).last().isEqualTo(state);
	}

	static List<String> presence(StompConnection watcher) {
		return watcher.events("signals")
			.stream()
			.filter((event) -> event.path("type").asString().equals("presence")
					&& event.path("user").asString().startsWith("away"))
			.map((event) -> event.has("away") ? "away" : event.path("state").asString())
			.toList();
	}

}
