package io.parley.server.session;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.server.limits.LimitProperties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.messaging.Message;
import org.springframework.messaging.MessageChannel;
import org.springframework.messaging.SubscribableChannel;
import org.springframework.util.unit.DataSize;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketMessage;
import org.springframework.web.socket.WebSocketSession;
import org.springframework.web.socket.messaging.SubProtocolHandler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

class SessionShutdownTests {

	private final DeliveryThreadPool threads = new DeliveryThreadPool();

	private final SessionProperties properties = new SessionProperties(Duration.ofSeconds(10), Duration.ofSeconds(10),
			Duration.ofMinutes(5), DataSize.ofKilobytes(256), DataSize.ofKilobytes(256), DataSize.ofMegabytes(1),
			Duration.ofSeconds(30), 400);

	private final SessionRegistry sessions = Mockito.spy(new SessionRegistry(Mockito.mock(LimitProperties.class),
			this.properties, this.threads, Mockito.mock(SessionWatch.class), (event) -> {
			}, new SimpleMeterRegistry()));

	private final SessionShutdown shutdown = new SessionShutdown(this.sessions, this.properties);

	private final SlowProtocol protocol = new SlowProtocol();

	@AfterEach
	void stop() {
		this.protocol.mayEnd.countDown();
		this.threads.stop();
	}

	/** Afterwards Spring's broker stops, and must not get any more frames. */
	@Test
	void endsAfterSpringsHandlersKnowOfTheLastClosedSocket() throws Exception {
		ChatSocketHandler handler = new ChatSocketHandler(Mockito.mock(MessageChannel.class),
				Mockito.mock(SubscribableChannel.class), this.sessions);
		handler.setDefaultProtocolHandler(this.protocol);
		handler.start();
		WebSocketSession socket = socket();
		// It accepts sockets of Jetty only.
		BDDMockito.willDoNothing().given(this.sessions).open(socket);
		handler.afterConnectionEstablished(socket);
		Thread closing = Thread.ofVirtual().start(() -> close(handler, socket));
		this.protocol.ending.await();
		AtomicBoolean known = new AtomicBoolean();
		Thread stopping = Thread.ofPlatform().start(() -> {
			this.shutdown.stop();
			known.set(this.protocol.ended);
		});
		await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING || !stopping.isAlive());
		this.protocol.mayEnd.countDown();
		stopping.join();
		closing.join();
		assertThat(known).isTrue();
	}

	private static void close(ChatSocketHandler handler, WebSocketSession socket) {
		try {
			handler.afterConnectionClosed(socket, CloseStatus.NORMAL);
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static WebSocketSession socket() {
		WebSocketSession socket = Mockito.mock(WebSocketSession.class);
		BDDMockito.given(socket.getId()).willReturn("s1");
		BDDMockito.given(socket.getAttributes()).willReturn(new HashMap<>());
		BDDMockito.given(socket.isOpen()).willReturn(true);
		return socket;
	}

	/** The end of a session takes as long as the test wants. */
	private static final class SlowProtocol implements SubProtocolHandler {

		private final CountDownLatch ending = new CountDownLatch(1);

		private final CountDownLatch mayEnd = new CountDownLatch(1);

		private volatile boolean ended;

		@Override
		public void afterSessionEnded(WebSocketSession session, CloseStatus status, MessageChannel channel)
				throws Exception {
			this.ending.countDown();
			this.mayEnd.await();
			this.ended = true;
		}

		@Override
		public List<String> getSupportedProtocols() {
			return List.of();
		}

		@Override
		public void handleMessageFromClient(WebSocketSession session, WebSocketMessage<?> message,
				MessageChannel channel) {
		}

		@Override
		public void handleMessageToClient(WebSocketSession session, Message<?> message) {
		}

		@Override
		public @Nullable String resolveSessionId(Message<?> message) {
			return null;
		}

		@Override
		public void afterSessionStarted(WebSocketSession session, MessageChannel channel) {
		}

	}

}
