package io.parley.server.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.server.limits.LimitProperties;
import io.parley.server.websocket.FrameSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

class SessionRegistryTests {

	private static final int ROUNDS = 3_000;

	private static final long[] NO_HEART_BEAT = { 0, 0 };

	private final DeliveryThreadPool threads = new DeliveryThreadPool();

	private final Queue<Object> events = new ConcurrentLinkedQueue<>();

	private final SessionRegistry sessions = new SessionRegistry(Mockito.mock(LimitProperties.class), properties(),
			this.threads, Mockito.mock(SessionWatch.class), this.events::add, new SimpleMeterRegistry());

	private static SessionProperties properties() {
		SessionProperties properties = Mockito.mock(SessionProperties.class);
		BDDMockito.given(properties.heartBeat()).willReturn(Duration.ofSeconds(10));
		return properties;
	}

	@AfterEach
	void stop() {
		this.threads.stop();
	}

	@Test
	void reportsAUserOnlineOnceWhoOpensTwoSessionsAtOnce() throws Exception {
		CyclicBarrier together = new CyclicBarrier(2);
		try (ExecutorService both = Executors.newFixedThreadPool(2)) {
			for (int round = 0; round < ROUNDS; round++) {
				String user = "user" + round;
				List<Future<?>> connects = List.of(both.submit(() -> connect(together, user)),
						both.submit(() -> connect(together, user)));
				for (Future<?> connect : connects) {
					connect.get();
				}
				assertThat(this.events).containsExactly(new SessionRegistry.UserOnline(user));
				this.events.clear();
			}
		}
	}

	@Test
	void reportsAUserOfflineWhoseSessionEndsWhileConnecting() {
		ChatSession ended = session();
		ended.end(false);
		this.sessions.connect(ended, () -> "anna", "s1", Instant.MAX, NO_HEART_BEAT);
		assertThat(this.events).containsExactly(new SessionRegistry.UserOnline("anna"),
				new SessionRegistry.UserOffline("anna"));
		assertThat(this.sessions.online("anna")).isFalse();
	}

	private Void connect(CyclicBarrier together, String user) throws Exception {
		ChatSession session = session();
		together.await();
		this.sessions.connect(session, () -> user, "s1", Instant.MAX, NO_HEART_BEAT);
		return null;
	}

	private static ChatSession session() {
		return new ChatSession("s", "test", Mockito.mock(FrameSocket.class), 0, Runnable::run, 1_000);
	}

}
