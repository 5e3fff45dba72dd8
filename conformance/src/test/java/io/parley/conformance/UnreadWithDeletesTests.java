package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Deleted messages are not unread, and edits change nothing. */
@FanOut
@UnlimitedServer
class UnreadWithDeletesTests {

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	UnreadWithDeletesTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@Test
	void fallsByTheDeletedMessagesOnly() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		long read = anna.say(room, "read", "text");
		bert.put("/api/rooms/" + room + "/read", java.util.Map.of("position", read)).expect(204);
		List<Long> unread = new ArrayList<>();
		for (int i = 0; i < 10; i++) {
			unread.add(anna.say(room, "c" + i, "text"));
		}
		await().until(() -> unread(bert, room) == 10);
		try (StompConnection events = this.server.connectWithEvents("bert")) {
			anna.edit(room, unread.get(0), "e0", "edited").expect(202);
			anna.edit(room, unread.get(9), "e9", "edited").expect(202);
			assertThat(unread(bert, room)).isEqualTo(10);
			for (int i : new int[] { 0, 5, 9 }) {
				anna.deleteMessage(room, unread.get(i)).expect(202);
			}
			assertThat(unread(bert, room)).isEqualTo(7);
			events.expectEvent("me", (event) -> event.path("type").asString().equals("unread.changed")
					&& event.path("room").asString().equals(room) && event.path("unread").asInt() == 7);
		}
		anna.deleteMessage(room, read).expect(202);
		assertThat(unread(bert, room)).as("it was read").isEqualTo(7);
		await().until(() -> deletes(room) == 4);
		assertThat(unread(bert, room)).isEqualTo(7);
		bert.put("/api/rooms/" + room + "/read", java.util.Map.of("position", unread.get(5))).expect(204);
		await().until(() -> unread(bert, room) == 3);
		bert.put("/api/rooms/" + room + "/read", java.util.Map.of("position", unread.get(9))).expect(204);
		await().until(() -> unread(bert, room) == 0);
		anna.say(room, "next", "text");
		assertThat(unread(bert, room)).isEqualTo(1);
		assertThat(unread(anna, room)).isZero();
	}

	private int deletes(String room) {
		// The room has no row before its first event is stored.
		Integer deletes = this.jdbc.queryForObject("SELECT SUM(deletes) FROM room_head WHERE room_id = ?",
				Integer.class, room);
		return (deletes != null) ? deletes : 0;
	}

	private static int unread(ChatApi user, String room) {
		return user.listed(room).path("unread").asInt();
	}

}
