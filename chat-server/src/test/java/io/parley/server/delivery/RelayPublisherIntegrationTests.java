package io.parley.server.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import io.parley.persistence.PersistenceWorker;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.BrokerMessage;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompBroker;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The memory holds fewer events than the publisher lags behind. */
@UnlimitedServer
@TestPropertySource(properties = "chat.history.tail=8KB")
class RelayPublisherIntegrationTests {

	private static final int BEHIND = 30;

	private static final StompBroker broker = StompBroker.start("activemq");

	private final ChatServer server;

	private final RelayPublisher publisher;

	private final PersistenceWorker persistence;

	private final BrokerLink link;

	RelayPublisherIntegrationTests(ChatServer server, RelayPublisher publisher, PersistenceWorker persistence,
			BrokerLink link) {
		this.server = server;
		this.publisher = publisher;
		this.persistence = persistence;
		this.link = link;
	}

	@DynamicPropertySource
	static void settings(DynamicPropertyRegistry registry) {
		registry.add("chat.broker.mode", () -> "relay");
		registry.add("chat.broker.relay.kind", () -> "activemq");
		registry.add("chat.broker.relay.host", () -> "127.0.0.1:" + broker.port());
	}

	@AfterAll
	static void stop() {
		broker.close();
	}

	@AfterEach
	void restartPersistence() {
		this.persistence.start();
	}

	/** A publisher starts at the last stored position. */
	@Test
	void publishesEventsThatMemoryNoLongerHolds() {
		String room = this.server.room("anna");
		List<BrokerMessage> published = new CopyOnWriteArrayList<>();
		await().ignoreExceptions().until(() -> this.link.subscribe("/topic/rooms." + room, published::add) != null);
		this.publisher.stop();
		this.persistence.stop();
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < BEHIND; i++) {
			positions.add(this.server.user("anna").say(room, "c" + i, "text " + i));
		}
		this.publisher.start();
		await().untilAsserted(() -> assertThat(published.stream().map(BrokerMessage::position).distinct())
			.containsSubsequence(positions));
	}

}
