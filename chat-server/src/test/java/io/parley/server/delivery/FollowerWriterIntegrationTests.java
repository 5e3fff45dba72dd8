package io.parley.server.delivery;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Push skips users who follow a room live and notifies them once they no longer do. */
@UnlimitedServer
class FollowerWriterIntegrationTests {

	private final ChatServer server;

	private final RoomPresence presence;

	private final LostSessionRepository lost;

	private final PushLogRepository pushes;

	private final TransactionTemplate transaction;

	FollowerWriterIntegrationTests(ChatServer server, RoomPresence presence, LostSessionRepository lost,
			PushLogRepository pushes, PlatformTransactionManager transactions) {
		this.server = server;
		this.presence = presence;
		this.lost = lost;
		this.pushes = pushes;
		this.transaction = new TransactionTemplate(transactions);
	}

	@Test
	void pushesToOfflineMembersAndNotToFollowers() {
		String room = this.server.room("anna", "bert", "cleo");
		try (StompConnection bert = follow("bert", room); StompConnection tablet = this.server.connect("bert")) {
			post(room, "c1");
			awaitPushes("cleo", room, 1);
			assertThat(this.pushes.latest("bert", room, 10)).isEmpty();
			tablet.subscribe("again", "/topic/rooms." + room);
			bert.send("UNSUBSCRIBE", Map.of("id", "room"), "");
			post(room, "c2");
			awaitPushes("cleo", room, 2);
			assertThat(this.pushes.latest("bert", room, 10)).isEmpty();
		}
		post(room, "c3");
		awaitPushes("bert", room, 1);
		assertThat(this.pushes.latest("anna", room, 10)).isEmpty();
	}

	@Test
	void tellsWhatASessionMayHaveMissedThatVanished() {
		String room = this.server.room("anna", "bert", "cleo");
		StompConnection bert = follow("bert", room);
		post(room, "c1");
		awaitPushes("cleo", room, 1);
		assertThat(this.pushes.latest("bert", room, 10)).isEmpty();
		bert.abort();
		awaitPushes("bert", room, 1);
		assertThat(this.pushes.latest("bert", room, 10).getFirst().detail()).isEqualTo("written to the log");
	}

	@Test
	@Tag("exhaustive")
	void doesNotTreatACleanDisconnectAsALostSession() {
		String room = this.server.room("anna", "bert", "cleo");
		StompConnection closing = follow("bert", room);
		StompConnection leaving = follow("anna", room);
		StompConnection vanishing = follow("cleo", room);
		closing.close();
		leaving.send("DISCONNECT", Map.of(), "");
		await().until(() -> this.presence.followersAmong(room, List.of("anna", "bert"), Instant.now()).isEmpty());
		vanishing.abort();
		await()
			.untilAsserted(() -> assertThat(lostFrom(room)).extracting(LostSession::username).containsExactly("cleo"));
	}

	/** Reads the lost sessions of a room without removing them. */
	private List<LostSession> lostFrom(String room) {
		Instant far = Instant.now().plusSeconds(60);
		List<LostSession> lost = this.transaction.execute((status) -> this.lost.lock(1_000, far, null));
		return lost.stream().filter((session) -> session.room().equals(room)).toList();
	}

	private StompConnection follow(String user, String room) {
		StompConnection connection = this.server.connect(user);
		connection.subscribe("room", "/topic/rooms." + room);
		await().until(() -> this.presence.followersAmong(room, List.of(user), Instant.now()).containsKey(user));
		return connection;
	}

	private void post(String room, String clientId) {
		try (StompConnection anna = this.server.connect("anna")) {
			anna.expectReceipt(anna.say(room, clientId, "Hello"));
		}
	}

	private void awaitPushes(String user, String room, int times) {
		await().untilAsserted(() -> assertThat(this.pushes.latest(user, room, 10)).extracting(PushLogEntry::outcome)
			.filteredOn((outcome) -> outcome == PushLogEntry.Outcome.SENT)
			.hasSize(times));
	}

}
