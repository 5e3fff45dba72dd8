package io.parley.server.room;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ServerOnMySql;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** More users than the database has connections join a room while it is locked. */
@ServerOnMySql
class JoinRushIntegrationTests {

	private static final int USERS = 40;

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final MeterRegistry meters;

	JoinRushIntegrationTests(ChatServer server, JdbcTemplate jdbc, TransactionTemplate transaction,
			MeterRegistry meters) {
		this.server = server;
		this.jdbc = jdbc;
		this.transaction = transaction;
		this.meters = meters;
	}

	@Test
	void othersAreServedMeanwhile() {
		String room = this.server.channel("anna");
		List<ChatApi> users = IntStream.range(0, USERS).mapToObj((n) -> this.server.user("rush" + n)).toList();
		List<CompletableFuture<ChatApi.Answer>> joins = this.transaction.execute((status) -> {
			this.jdbc.queryForObject("SELECT id FROM room WHERE id = ? FOR UPDATE", String.class, room);
			List<CompletableFuture<ChatApi.Answer>> started = users.stream()
				.map((user) -> CompletableFuture.supplyAsync(() -> user.join(room, user.name()),
						(task) -> Thread.ofVirtual().start(task)))
				.toList();
			await().until(() -> activeRequests() >= USERS);
			assertThat(this.server.user("anna").get("/api/rooms").status()).isEqualTo(200);
			return started;
		});
		assertThat(joins).allSatisfy((join) -> join.join().expect(201));
		assertThat(this.server.user("anna").get("/api/rooms/" + room).body().path("memberCount").asInt())
			.isEqualTo(1 + USERS);
		assertThat(this.jdbc.queryForList("SELECT role FROM room_member WHERE room_id = ?", String.class, room))
			.hasSize(1 + USERS)
			.containsOnlyOnce("owner");
	}

	private int activeRequests() {
		return this.meters.find("http.server.requests.active")
			.longTaskTimers()
			.stream()
			.mapToInt(LongTaskTimer::activeTasks)
			.sum();
	}

}
