package io.parley.server.broker;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** With one broker connection per node, sessions survive an outage of the broker. */
@UnlimitedServer
@TestPropertySource(properties = "chat.broker.relay.connections=per-node")
class NodeRelayOutageIntegrationTests extends RelayOutage {

	private static final MovingBroker broker = new MovingBroker();

	NodeRelayOutageIntegrationTests(ChatServer server, MeterRegistry meters) {
		super(server, meters);
	}

	@DynamicPropertySource
	static void settings(DynamicPropertyRegistry registry) {
		broker.settings(registry);
	}

	@AfterAll
	static void stop() {
		broker.close();
	}

	@Test
	void keepsItsSessionsAndDeliversWithoutTheBrokerDuringAnOutage() {
		String room = this.server.room("anna", "bert");
		try (StompConnection bert = listener("bert", room, 0)) {
			this.server.user("anna").say(room, "c1", "before");
			bert.expectMessage("r", "c1");
			broker.stop();
			awaitRefused();
			double before = late();
			this.server.user("anna").say(room, "c2", "during the outage");
			bert.expectMessage("r", "c2");
			assertThat(late()).isEqualTo(before + 1);
			broker.startAtTheOtherAddress();
			await().ignoreExceptions().untilAsserted(() -> this.server.connect("anna").close());
			this.server.user("anna").say(room, "c3", "after");
			bert.expectMessage("r", "c3");
			assertThat(said(bert)).containsExactly("before", "during the outage", "after");
			assertThat(bert.isClosed()).isFalse();
		}
	}

}
