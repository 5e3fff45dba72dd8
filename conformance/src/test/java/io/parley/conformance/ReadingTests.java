package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@FanOut
@UnlimitedServer
class ReadingTests {

	private final ChatServer server;

	ReadingTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void showsTypingToSubscribers() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connect("anna"); StompConnection bert = this.server.connect("bert")) {
			bert.subscribe("signals", "/topic/rooms." + room + ".signals");
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "");
			JsonNode typing = bert.expectEvent("signals", (event) -> event.path("type").asString().equals("typing"));
			assertThat(typing.path("user").asString()).isEqualTo("anna");
			assertThat(typing.path("room").asString()).isEqualTo(room);
			assertThat(this.server.user("anna").history(room, "")).hasSize(1);
		}
	}

	@Test
	void showsReadPositionsToTheRoomAndToOtherDevices() {
		String room = this.server.room("anna", "bert");
		long first = this.server.user("anna").say(room, "c1", "one");
		long second = this.server.user("anna").say(room, "c2", "two");
		try (StompConnection anna = this.server.connect("anna");
				StompConnection phone = this.server.connectWithEvents("bert");
				StompConnection laptop = this.server.connectWithEvents("bert")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			read(phone, room, first);
			JsonNode signal = anna.expectEvent("signals", (event) -> event.path("type").asString().equals("read"));
			assertThat(signal.path("user").asString()).isEqualTo("bert");
			assertThat(signal.path("position").asLong()).isEqualTo(first);
			JsonNode unread = laptop.expectEvent("me", (event) -> isUnread(event, room, first));
			assertThat(unread.path("unread").asInt()).isEqualTo(1);
			assertThat(unread.path("head").asLong()).isEqualTo(second);
		}
	}

	@Test
	void neverMovesAMarkerBack() {
		String room = this.server.room("anna", "bert");
		long first = this.server.user("anna").say(room, "c1", "one");
		long second = this.server.user("anna").say(room, "c2", "two");
		try (StompConnection bert = this.server.connectWithEvents("bert");
				StompConnection anna = this.server.connect("anna")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			read(bert, room, second);
			read(bert, room, first);
			this.server.user("bert").put("/api/rooms/" + room + "/read", Map.of("position", first)).expect(204);
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "");
			anna.expectEvent("signals", (event) -> event.path("type").asString().equals("typing"));
			assertThat(this.server.user("bert").listed(room).path("read").asLong()).isEqualTo(second);
			assertThat(this.server.user("bert").listed(room).path("unread").asInt()).isZero();
			assertThat(anna.events("signals")).filteredOn((event) -> event.path("type").asString().equals("read"))
				.allMatch((event) -> event.path("position").asLong() == second);
			assertThat(bert.events("me")).filteredOn((event) -> isUnread(event, room, first)).isEmpty();
		}
	}

	@Test
	void countsUnreadMessagesExactly() {
		String room = this.server.room("anna", "bert");
		Random random = new Random(42);
		List<Long> positions = new ArrayList<>();
		long read = 0;
		for (int i = 0; i < 60; i++) {
			if (positions.isEmpty() || random.nextInt(3) > 0) {
				boolean own = random.nextInt(4) == 0;
				positions.add(this.server.user(own ? "bert" : "anna").say(room, "c" + i, "text"));
				read = own ? positions.getLast() : read;
			}
			else {
				long position = positions.get(random.nextInt(positions.size()));
				this.server.user("bert").put("/api/rooms/" + room + "/read", Map.of("position", position)).expect(204);
				read = Math.max(read, position);
			}
			long marker = read;
			assertThat(this.server.user("bert").listed(room).path("unread").asLong()).as("step %d", i)
				.isEqualTo(positions.stream().filter((position) -> position > marker).count());
		}
	}

	@Test
	void refusesAPositionInTheFuture() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			for (long position : List.of(-1L, Long.MAX_VALUE)) {
				assertThat(anna.expectError("/app/rooms." + room + ".read", "{\"position\":" + position + "}")
					.path("code")
					.asString()).isEqualTo("bad-position");
				assertThat(this.server.user("anna")
					.put("/api/rooms/" + room + "/read", Map.of("position", position))
					.expect(400)
					.code()).isEqualTo("bad-position");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "{}", "{\"position\":\"1\"}", "{\"position\":1.5}", "[]", "x",
			"{\"position\":99999999999999999999}" })
	void refusesInvalidPositions(String body) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna.expectError("/app/rooms." + room + ".read", body).path("code").asString())
				.isIn("bad-position", "bad-message");
		}
	}

	@Test
	void sendsUnreadCountsToMembersWhoDoNotFollowTheRoom() {
		String room = this.server.room("anna", "bert");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			this.server.user("anna").say(room, "c1", "one");
			long head = this.server.user("anna").say(room, "c2", "two");
			JsonNode unread = bert.expectEvent("me",
					(event) -> isUnread(event, room, 0) && event.path("head").asLong() == head);
			assertThat(unread.path("unread").asInt()).isEqualTo(2);
		}
	}

	@Test
	void showsWhoIsOnline() {
		String room = this.server.room("anna", "newcomer");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			try (StompConnection newcomer = this.server.connect("newcomer")) {
				JsonNode presence = anna.expectEvent("signals",
						(event) -> event.path("type").asString().equals("presence")
								&& event.path("user").asString().equals("newcomer"));
				assertThat(presence.path("state").asString()).isEqualTo("online");
			}
		}
	}

	@Test
	void refusesNonMembers() {
		String room = this.server.room("anna");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			for (String action : List.of("typing", "read")) {
				assertThat(bert.expectError("/app/rooms." + room + "." + action, "{\"position\":0}")
					.path("code")
					.asString()).isEqualTo("not-a-member");
			}
		}
	}

	private static void read(StompConnection connection, String room, long position) {
		connection.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"),
				"{\"position\":" + position + "}");
	}

	private static boolean isUnread(JsonNode event, String room, long read) {
		return event.path("type").asString().equals("unread.changed") && event.path("room").asString().equals(room)
				&& event.path("read").asLong() == read;
	}

}
