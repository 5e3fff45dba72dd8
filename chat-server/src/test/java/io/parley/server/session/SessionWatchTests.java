package io.parley.server.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.parley.server.websocket.FrameSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.util.unit.DataSize;
import org.springframework.web.socket.CloseStatus;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests when a session is checked again. */
class SessionWatchTests {

	private static final byte[] FRAME = { 'F' };

	private final SessionWatch watch = new SessionWatch(new SessionProperties(Duration.ofSeconds(1),
			Duration.ofSeconds(10), Duration.ofMinutes(5), DataSize.ofKilobytes(1), DataSize.ofKilobytes(1),
			DataSize.ofKilobytes(1), Duration.ofSeconds(30), 0));

	private final List<Runnable> taking = new ArrayList<>();

	private final ChatSession session = new ChatSession("s", "test", new Socket(), 0, Runnable::run, 1_000);

	@AfterEach
	void stop() {
		this.watch.stop();
	}

	@Test
	void isSoonEnoughForAHeartBeatDuringAWrite() {
		connected(new HeartBeat(0, 1_000));
		this.session.send(FRAME);
		assertThat(this.session.outbox().hasPendingFrames()).isTrue();
		assertThat(this.watch.checkAndGetDelay(this.session)).isLessThanOrEqualTo(1_000);
		this.taking.getFirst().run();
		assertThat(this.watch.checkAndGetDelay(this.session)).isLessThanOrEqualTo(1_000);
	}

	@Test
	void isSoonBeforeConnectMayRequestHeartBeats() {
		assertThat(this.watch.checkAndGetDelay(this.session)).isLessThanOrEqualTo(500);
	}

	@Test
	void isRareWithoutHeartBeats() {
		connected(HeartBeat.NONE);
		assertThat(this.watch.checkAndGetDelay(this.session)).isEqualTo(5_000);
	}

	@Test
	void aClientIsNotSilentWhileItsFrameIsHandled() {
		connected(new HeartBeat(1, 0));
		this.session.traffic().messageReceived("SEND\n\n\0");
		Awaitility.await()
			.pollInterval(Duration.ofMillis(1))
			.until(() -> Instant.now().isAfter(this.session.lastReceivedAt().plusMillis(10)));
		this.watch.checkAndGetDelay(this.session);
		assertThat(this.session.isClosingOrExpired()).isFalse();
		this.session.traffic().messageHandled();
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
			this.watch.checkAndGetDelay(this.session);
			return this.session.isClosingOrExpired();
		});
	}

	private void connected(HeartBeat heartBeat) {
		this.session.connected(() -> "anna", "s1", Instant.MAX, heartBeat);
	}

	/** Completes writes on request. */
	private final class Socket implements FrameSocket {

		@Override
		public void write(byte[] frames, Runnable done) {
			SessionWatchTests.this.taking.add(done);
		}

		@Override
		public void close(CloseStatus status) {
		}

		@Override
		public void abort() {
		}

	}

}
