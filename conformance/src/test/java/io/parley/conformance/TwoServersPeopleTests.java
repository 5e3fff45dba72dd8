package io.parley.conformance;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Members see the same of each other on all servers. */
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersPeopleTests {

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	private ChatServer one;

	private ChatServer two;

	@BeforeEach
	void find() {
		TwoServers both = servers.get();
		this.one = both.one();
		this.two = both.two();
	}

	/** Connects a user, and waits until that server knows the user and the membership. */
	private StompConnection connect(ChatServer server, String user, String room) {
		StompConnection connection = server.connect(user);
		connection.follow("s", room);
		connection.subscribe("signals", "/topic/rooms." + room + ".signals");
		String node = (server == this.one) ? "one" : "two";
		await().until(() -> servers.get().presence().usersOf(node, "", 1_000).contains(user));
		return connection;
	}

	/** After a read signal, every server lists the reader. */
	@Test
	void readersAreNoOlderThanTheSignals() {
		String room = this.one.room("anna", "bert");
		try (StompConnection anna = connect(this.one, "anna", room);
				StompConnection bert = connect(this.two, "bert", room)) {
			for (int i = 0; i < 5; i++) {
				long position = this.one.user("anna").say(room, "c" + i, "text");
				bert.expectMessage("s", "c" + i);
				PeopleTests.report(bert, room, "read", position);
				anna.expectEvent("signals", (event) -> event.path("positions").path("bert").asLong() == position);
				JsonNode body = this.one.user("anna")
					.get("/api/rooms/" + room + "/messages/" + position + "/readers")
					.expect(200)
					.body();
				assertThat(body.toString()).isEqualTo("{\"readers\":[\"anna\",\"bert\"],\"count\":2}");
			}
		}
	}

	@Test
	void deliveredIsShownOnTheOther() {
		String room = this.one.room("anna", "bert");
		try (StompConnection anna = connect(this.one, "anna", room);
				StompConnection bert = connect(this.two, "bert", room)) {
			long position = this.one.user("anna").say(room, "c1", "text");
			bert.expectMessage("s", "c1");
			PeopleTests.report(bert, room, "delivered", position);
			anna.expectEvent("signals", (event) -> PeopleTests.isDelivered(event, "bert", position));
			await().untilAsserted(() -> Stream.of(this.one, this.two)
				.forEach((server) -> assertThat(
						PeopleTests.member(server, "anna", room, "bert").path("delivered").asLong())
					.isEqualTo(position)));
		}
	}

	@Test
	void aUserIsAwayWhenTheSessionsOnBothAre() {
		String room = this.one.room("anna", "away2");
		try (StompConnection here = connect(this.one, "anna", room);
				StompConnection there = connect(this.two, "anna", room)) {
			StompConnection laptop = connect(this.one, "away2", room);
			expectPresence(1, "online", here, there);
			StompConnection phone = connect(this.two, "away2", room);
			PeopleTests.setAway(laptop, true);
			awaitAway("one");
			assertShown(room, false);
			PeopleTests.setAway(phone, true);
			expectPresence(2, "away", here, there);
			assertShown(room, true);
			PeopleTests.setAway(laptop, false);
			expectPresence(3, "online", here, there);
			assertShown(room, false);
			laptop.close();
			expectPresence(4, "away", here, there);
			assertShown(room, true);
			phone.close();
			expectPresence(5, "offline", here, there);
		}
	}

	private void awaitAway(String node) {
		String away = "SELECT COUNT(*) FROM node_presence WHERE node = ? AND username = 'away2' AND away = TRUE";
		await()
			.until(() -> Integer.valueOf(1).equals(servers.get().database().queryForObject(away, Integer.class, node)));
	}

	private static void expectPresence(int number, String state, StompConnection... watchers) {
		for (StompConnection watcher : watchers) {
			PeopleTests.expectPresence(watcher, number, state);
		}
	}

	private void assertShown(String room, boolean away) {
		for (ChatServer server : List.of(this.one, this.two)) {
			JsonNode member = PeopleTests.member(server, "anna", room, "away2");
			assertThat(member.path("online").asBoolean()).isTrue();
			assertThat(member.has("away")).isEqualTo(away);
		}
	}

	@Test
	void lastSeenIsShownToThoseWhoShowTheirs() {
		String room = this.one.room("nora", "olaf", "pia");
		Instant before = Instant.now();
		connect(this.two, "olaf", room).close();
		connect(this.one, "pia", room).close();
		for (ChatServer server : List.of(this.one, this.two)) {
			for (String name : List.of("olaf", "pia")) {
				await().until(() -> lastSeen(server, "nora", room, name).isAfter(before));
				assertThat(PeopleTests.member(server, "nora", room, name).path("online").asBoolean()).isFalse();
			}
		}
		assertThat(this.one.user("pia").put("/api/me/presence", Map.of("hideLastSeen", true)).expect(200).body())
			.hasToString("{\"lastSeen\":true,\"hideLastSeen\":true}");
		assertThat(this.two.user("pia").get("/api/me/presence").expect(200).body().path("hideLastSeen").asBoolean())
			.isTrue();
		assertThat(lastSeen(this.two, "nora", room, "pia")).isEqualTo(Instant.EPOCH);
		assertThat(lastSeen(this.two, "pia", room, "olaf")).isEqualTo(Instant.EPOCH);
		assertThat(lastSeen(this.two, "nora", room, "olaf")).isAfter(before);
		this.one.user("olaf").put("/api/blocks/nora", Map.of()).expect(204);
		assertThat(lastSeen(this.two, "nora", room, "olaf")).isEqualTo(Instant.EPOCH);
		for (String body : List.of("{}", "{\"hideLastSeen\":\"yes\"}", "[]", "{\"hideLastSeen\":null}")) {
			assertThat(this.one.user("pia").exchange("PUT", "/api/me/presence", body).expect(400).code())
				.isEqualTo("bad-request");
		}
	}

	/** Returns the epoch if it is not shown, or while the user is online. */
	private static Instant lastSeen(ChatServer server, String viewer, String room, String name) {
		return Instant
			.parse(PeopleTests.member(server, viewer, room, name).path("lastSeen").asString("1970-01-01T00:00:00Z"));
	}

}
