package io.parley.server.room;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ServerOnMySql;
import io.parley.store.Threads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Many users change the same room at the same moment. */
@ServerOnMySql
@Tag("exhaustive")
class RoomRaceIntegrationTests {

	private static final int USERS = 24;

	/** The code of an error that the server did not expect, such as a deadlock. */
	private static final String INTERNAL = "internal";

	private static final String LATER = Instant.now().plus(1, ChronoUnit.HOURS).toString();

	/** The number of attempts to provoke a race. */
	private static final int ROUNDS = Boolean.getBoolean("parley.test.full-size") ? 50 : 5;

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	RoomRaceIntegrationTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@Test
	void linksAreRedeemedWhileTheyAreRevoked() {
		for (int round = 0; round < ROUNDS; round++) {
			String room = this.server.room("anna");
			ChatApi.Answer invite = this.server.user("anna")
				.post("/api/rooms/" + room + "/invites", Map.of())
				.expect(201);
			String token = invite.body().path("token").asString();
			String link = "/api/rooms/" + room + "/invites/" + invite.body().path("id").asString();
			List<String> codes = atOnce((thread) -> (thread == USERS / 2) ? this.server.user("anna").delete(link)
					: user(thread).post("/api/invites/" + token, Map.of()));
			assertThat(codes).doesNotContain(INTERNAL);
			assertConsistent(room);
		}
	}

	@Test
	void aRoomHasOneOwnerWhateverHappensAtOnce() {
		for (int round = 0; round < ROUNDS; round++) {
			String room = this.server.channel("anna", user(0).name(), user(1).name(), user(2).name());
			String members = "/api/rooms/" + room + "/members";
			for (int i = 0; i < 2; i++) {
				this.server.user("anna").changeRole(room, user(i).name(), "moderator").expect(200);
			}
			String token = this.server.user("anna")
				.post("/api/rooms/" + room + "/invites", Map.of())
				.body()
				.path("token")
				.asString();
			List<String> codes = atOnce((thread) -> {
				ChatApi by = user(thread % 4);
				String other = user((thread + 1) % 4).name();
				return switch (thread % 12) {
					case 0 -> by.changeRole(room, other, "reader");
					case 1 -> by.join(room, by.name());
					case 2 -> this.server.user("anna").changeRole(room, other, "owner");
					case 3 -> by.leave(room, other);
					case 4 -> by.put("/api/rooms/" + room + "/mutes/" + other, Map.of("until", LATER));
					case 5 -> this.server.user("anna").leave(room, "anna");
					case 6 -> by.post("/api/invites/" + token, Map.of());
					case 7 -> by.put("/api/rooms/" + room + "/bans/" + other, Map.of());
					case 8 -> by.delete("/api/rooms/" + room + "/bans/" + other);
					case 9 -> by.leave(room, by.name());
					case 10 -> by.post("/api/rooms/" + room + "/invites", Map.of());
					default -> by.post(members, Map.of("username", other));
				};
			});
			assertThat(codes).doesNotContain(INTERNAL);
			assertConsistent(room);
		}
	}

	private ChatApi user(int number) {
		return this.server.user("racer" + number);
	}

	/** Returns the error codes. */
	private List<String> atOnce(IntFunction<ChatApi.Answer> call) {
		for (int i = 0; i < USERS; i++) {
			user(i);
		}
		return Threads.atOnce(USERS, call).stream().map(ChatApi.Answer::code).toList();
	}

	private void assertConsistent(String room) {
		List<String> roles = this.jdbc.queryForList("SELECT role FROM room_member WHERE room_id = ?", String.class,
				room);
		assertThat(this.jdbc.queryForObject("SELECT member_count FROM room WHERE id = ?", Integer.class, room))
			.isEqualTo(roles.size());
		if (!roles.isEmpty()) {
			assertThat(roles).containsOnlyOnce("owner");
		}
	}

}
