package io.parley.conformance;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

/** Makes rooms of many members, who have no passwords. */
final class Crowd {

	private static final List<String> NAMES = IntStream.range(0, 1_000).mapToObj((i) -> "crowd" + i).toList();

	private Crowd() {
	}

	/**
	 * Creates an open channel.
	 * @param owner needs a name of its own, because of the limit of invitations
	 * @param members how many members it has, with the owner
	 */
	static String channel(ChatServer server, JdbcTemplate database, String owner, int members) {
		return open(server, database, owner, Map.of("name", "Crowd", "kind", "channel", "members", names(members)));
	}

	/** Does the same with a private channel. */
	static String privateChannel(ChatServer server, JdbcTemplate database, String owner, int members) {
		return open(server, database, owner,
				Map.of("name", "Crowd", "kind", "channel", "private", true, "members", names(members)));
	}

	private static List<String> names(int members) {
		return NAMES.subList(0, members - 1);
	}

	private static String open(ChatServer server, JdbcTemplate database, String owner, Map<String, Object> room) {
		Integer present = database.queryForObject("SELECT COUNT(*) FROM account WHERE username = 'crowd0'",
				Integer.class);
		if (present == null || present == 0) {
			database.batchUpdate("INSERT INTO account (username, password_hash, created_at) VALUES (?, 'x', NOW())",
					NAMES.stream().map((name) -> new Object[] { name }).toList());
		}
		return server.user(owner).post("/api/rooms", room).expect(201).body().path("id").asString();
	}

	/** Subscribes to the events of a room as {@code s}, and to its signals. */
	static void follow(StompConnection session, String room) {
		session.follow("s", room);
		session.subscribe("signals", "/topic/rooms." + room + ".signals");
	}

	/** Returns the types of the events of the room that a session got. */
	static List<String> types(StompConnection session) {
		return session.events("s")
			.stream()
			.map((event) -> event.path("type").asString())
			.filter((type) -> !type.equals("subscribed"))
			.toList();
	}

	/** Returns the counts that a session was told. */
	static List<Integer> counts(StompConnection session) {
		return session.events("signals")
			.stream()
			.filter((signal) -> signal.path("type").asString().equals("member-count"))
			.map((signal) -> signal.path("memberCount").asInt())
			.toList();
	}

	/** Waits until a session was told this count. */
	static void expectCount(StompConnection session, String room, int members) {
		session.expectEvent("signals",
				(signal) -> isAbout(signal, "member-count", room) && signal.path("memberCount").asInt() == members);
	}

	static boolean isAbout(JsonNode event, String type, String room) {
		return event.path("type").asString().equals(type) && event.path("room").asString().equals(room);
	}

}
