package io.parley.baseline;

import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.messaging.converter.JacksonJsonMessageConverter;
import org.springframework.messaging.simp.stomp.StompFrameHandler;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.messaging.simp.stomp.StompSessionHandlerAdapter;
import org.springframework.web.socket.client.standard.StandardWebSocketClient;
import org.springframework.web.socket.messaging.WebSocketStompClient;

import static org.assertj.core.api.Assertions.assertThat;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class BaselineTests {

	private final WebSocketStompClient stomp = new WebSocketStompClient(new StandardWebSocketClient());

	@LocalServerPort
	private int port;

	@BeforeEach
	void start() {
		this.stomp.setMessageConverter(new JacksonJsonMessageConverter());
		this.stomp.start();
	}

	@AfterEach
	void stop() {
		this.stomp.stop();
	}

	@Test
	void twoClientsOfARoomExchangeAMessage() throws Exception {
		Client alice = new Client("alice", "blue");
		Client bob = new Client("bob", "blue");
		Client carol = new Client("carol", "green");
		alice.send("hello");
		bob.send("hi");
		Map<String, String> hello = Map.of("clientId", "alice", "text", "hello");
		Map<String, String> hi = Map.of("clientId", "bob", "text", "hi");
		await(() -> assertThat(alice.received).contains(hello, hi));
		await(() -> assertThat(bob.received).contains(hello, hi));
		carol.send("alone");
		await(() -> assertThat(carol.received).contains(Map.of("clientId", "carol", "text", "alone")));
		assertThat(carol.received).as("another room").doesNotContain(hello, hi);
		List.of(alice, bob, carol).forEach((client) -> client.session.disconnect());
	}

	private static void await(Runnable assertion) {
		Awaitility.await().atMost(60, TimeUnit.SECONDS).untilAsserted(assertion::run);
	}

	/**
	 * A client in a room, and the messages it received.
	 */
	private final class Client implements StompFrameHandler {

		private final List<Object> received = new CopyOnWriteArrayList<>();

		private final String name;

		private final String room;

		private final StompSession session;

		Client(String name, String room) throws Exception {
			this.name = name;
			this.room = room;
			this.session = BaselineTests.this.stomp
				.connectAsync("ws://127.0.0.1:" + BaselineTests.this.port + "/ws", new StompSessionHandlerAdapter() {
				})
				.get(60, TimeUnit.SECONDS);
			this.session.subscribe("/topic/rooms." + room, this);
			// The broker does not confirm subscriptions, and a SEND may overtake one.
			await(() -> {
				send("am I in?");
				assertThat(this.received).isNotEmpty();
			});
		}

		void send(String text) {
			this.session.send("/app/rooms." + this.room + ".send", Map.of("clientId", this.name, "text", text));
		}

		@Override
		public Type getPayloadType(StompHeaders headers) {
			return Map.class;
		}

		@Override
		public void handleFrame(StompHeaders headers, @Nullable Object payload) {
			if (payload != null) {
				this.received.add(payload);
			}
		}

	}

}
