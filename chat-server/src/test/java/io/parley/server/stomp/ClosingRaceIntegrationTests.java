package io.parley.server.stomp;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.session.SessionRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.broker.SimpleBrokerMessageHandler;
import org.springframework.messaging.support.MessageBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs with {@code chat.broker.mode=simple} only. */
@ProtocolTest(
		properties = { "chat.limits.sends-per-second=0", "chat.limits.sessions-per-user=0", "chat.broker.mode=simple" })
class ClosingRaceIntegrationTests {

	private final ChatServer server;

	private final SessionRegistry sessions;

	private final SimpleBrokerMessageHandler broker;

	ClosingRaceIntegrationTests(ChatServer server, SessionRegistry sessions, SimpleBrokerMessageHandler broker) {
		this.server = server;
		this.sessions = sessions;
		this.broker = broker;
	}

	@Test
	void leavesNoSubscriptionBehindWhenSubscribeRacesTheClose() {
		String room = this.server.room("anna");
		List<StompConnection> connections = new ArrayList<>();
		for (int i = 0; i < 150; i++) {
			connections.add(this.server.connect("anna"));
		}
		connections.parallelStream().forEach((connection) -> {
			for (int i = 0; i < 5; i++) {
				connection.send("SUBSCRIBE", Map.of("id", "s" + i, "destination", "/topic/rooms." + room), "");
			}
			connection.abort();
		});
		Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			assertThat(this.sessions.count()).isZero();
			assertThat(this.sessions.online("anna")).isFalse();
			assertThat(subscriptions(room)).isEmpty();
		});
	}

	private Map<String, List<String>> subscriptions(String room) {
		SimpMessageHeaderAccessor headers = SimpMessageHeaderAccessor.create(SimpMessageType.MESSAGE);
		headers.setDestination("/topic/rooms." + room);
		return this.broker.getSubscriptionRegistry()
			.findSubscriptions(MessageBuilder.createMessage(new byte[0], headers.getMessageHeaders()));
	}

}
