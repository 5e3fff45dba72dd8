package io.parley.server.presence;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.RoomPresence;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A killed server does not report that its users went offline. */
@UnlimitedServer
class DeadNodeCleanupIntegrationTests {

	private final ChatServer server;

	private final NodePresence presence;

	private final RoomPresence followers;

	private final JdbcTemplate jdbc;

	DeadNodeCleanupIntegrationTests(ChatServer server, NodePresence presence, RoomPresence followers,
			JdbcTemplate jdbc) {
		this.server = server;
		this.presence = presence;
		this.followers = followers;
		this.jdbc = jdbc;
	}

	@Test
	void reportsTheUsersOfAKilledServerOffline() {
		String room = this.server.room("anna", "bert", "cleo");
		try (StompConnection anna = this.server.connect("anna"); StompConnection bert = this.server.connect("bert")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			await().until(() -> isOnline("bert"));
			this.presence.begin("killed", Instant.now().minusSeconds(3));
			this.presence.online("killed", Map.of("bert", false, "cleo", false));
			this.followers.store("killed", Map.of("cleo", Set.of(room)));
			JsonNode offline = anna.expectEvent("signals", (event) -> isOffline(event, "cleo"));
			assertThat(offline.path("room").asString()).isEqualTo(room);
			await().until(() -> !this.presence.leases().containsKey("killed"));
			assertThat(rows("node_presence") + rows("followed_rooms")).isZero();
			assertThat(anna.events("signals")).noneMatch((event) -> isOffline(event, "bert"));
			assertThat(bert.isClosed()).isFalse();
		}
	}

	@Test
	void ignoresAServerThatRenewsItsLease() {
		this.presence.begin("killed", Instant.now().minusSeconds(30));
		this.presence.begin("slow-clock", Instant.now().minusSeconds(30));
		this.presence.online("slow-clock", Map.of("dora", false));
		await().until(() -> {
			assertThat(this.presence.renew("slow-clock", null, Instant.now().minusSeconds(30))).isTrue();
			return !this.presence.leases().containsKey("killed");
		});
		assertThat(this.presence.usersOf("slow-clock", "", 10)).containsExactly("dora");
		this.presence.remove("slow-clock", this.presence.leases().get("slow-clock"));
	}

	private boolean isOnline(String user) {
		return this.presence.onlineAmong(List.of(user), Instant.now()).containsKey(user);
	}

	private static boolean isOffline(JsonNode event, String user) {
		return event.path("type").asString().equals("presence") && event.path("user").asString().equals(user)
				&& event.path("state").asString().equals("offline");
	}

	private int rows(String table) {
		Integer rows = this.jdbc.queryForObject("SELECT COUNT(*) FROM " + table + " WHERE node = 'killed'",
				Integer.class);
		return (rows != null) ? rows : -1;
	}

}
