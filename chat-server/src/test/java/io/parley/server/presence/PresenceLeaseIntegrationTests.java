package io.parley.server.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.presence.NodePresence;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Import;
import org.springframework.scheduling.annotation.SchedulingConfigurer;
import org.springframework.scheduling.config.ScheduledTaskRegistrar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@UnlimitedServer
@Import(PresenceLeaseIntegrationTests.BlockedJobs.class)
class PresenceLeaseIntegrationTests {

	private final ChatServer server;

	private final NodePresence presence;

	private final NodeProperties node;

	private final BlockedJobs jobs;

	PresenceLeaseIntegrationTests(ChatServer server, NodePresence presence, NodeProperties node, BlockedJobs jobs) {
		this.server = server;
		this.presence = presence;
		this.node = node;
		this.jobs = jobs;
	}

	@Test
	void isRenewedWhileOtherJobsAreBlocked() throws Exception {
		assertThat(this.jobs.blocked.await(60, TimeUnit.SECONDS)).isTrue();
		Instant before = lease();
		await().untilAsserted(() -> assertThat(lease()).isAfter(before.plusSeconds(2)));
	}

	@Test
	void doesNotStopOtherJobsWhileSomeAreBlocked() throws Exception {
		assertThat(this.jobs.blocked.await(60, TimeUnit.SECONDS)).isTrue();
		String room = this.server.room("anna", "newcomer");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			try (StompConnection newcomer = this.server.connect("newcomer")) {
				anna.expectEvent("signals", (event) -> event.path("user").asString().equals("newcomer"));
				assertThat(newcomer.isClosed()).isFalse();
			}
		}
	}

	@Test
	void restoresRowsThatAnotherServerHasRemoved() {
		try (StompConnection anna = this.server.connect("anna")) {
			await().until(() -> isOnline("anna"));
			String here = this.node.idOrHostName();
			await().ignoreExceptions()
				.until(() -> this.presence.remove(here, lease()).changed().keySet().contains("anna"));
			await().until(() -> isOnline("anna"));
			assertThat(anna.isClosed()).isFalse();
		}
	}

	private boolean isOnline(String user) {
		return this.presence.onlineAmong(List.of(user), Instant.now()).containsKey(user);
	}

	private Instant lease() {
		Instant expiresAt = this.presence.leases().get(this.node.idOrHostName());
		return (expiresAt != null) ? expiresAt : Instant.MIN;
	}

	/** Blocks more jobs than there are processors. They end with the scheduler. */
	static class BlockedJobs implements SchedulingConfigurer {

		private final int count = Runtime.getRuntime().availableProcessors() + 1;

		private final CountDownLatch blocked = new CountDownLatch(this.count);

		@Override
		public void configureTasks(ScheduledTaskRegistrar tasks) {
			for (int i = 0; i < this.count; i++) {
				tasks.addFixedDelayTask(this::block, Duration.ofHours(1));
			}
		}

		private void block() {
			this.blocked.countDown();
			try {
				new CountDownLatch(1).await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

}
