package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import io.parley.server.room.MemberCache;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many concurrent requests for one room do not exhaust the database connections: H2 has
 * one.
 */
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.limits.invitations-per-minute=0",
		"chat.limits.repeated-invitations-per-minute=0", "spring.datasource.hikari.connection-timeout=2000" })
@Tag("slow")
@Tag("exhaustive")
class JoinRushTests {

	private static final int JOINS = Boolean.getBoolean("parley.test.full-size") ? 600 : 300;

	private final ChatServer server;

	private final MemberCache members;

	JoinRushTests(ChatServer server, MemberCache members) {
		this.server = server;
		this.members = members;
	}

	@Test
	void joinsProceedDuringMembershipChecks() throws Exception {
		String room = this.server.room("anna", "bert");
		AtomicBoolean done = new AtomicBoolean();
		List<Future<Integer>> calls = new ArrayList<>();
		try (ExecutorService threads = Executors.newFixedThreadPool(25)) {
			Future<?> forgetting = threads.submit(() -> {
				while (!done.get()) {
					this.members.forget(room, "anna");
					LockSupport.parkNanos(50_000);
				}
			});
			for (int i = 0; i < JOINS; i++) {
				calls.add(threads.submit(() -> this.server.user("anna").join(room, "bert").status()));
				calls.add(threads.submit(() -> this.server.user("anna")
					.put("/api/rooms/" + room + "/notifications", Map.of())
					.status()));
			}
			List<Integer> statuses = new ArrayList<>();
			for (Future<Integer> call : calls) {
				statuses.add(call.get());
			}
			done.set(true);
			forgetting.get();
			assertThat(statuses).containsOnly(200);
		}
		finally {
			done.set(true);
		}
	}

}
