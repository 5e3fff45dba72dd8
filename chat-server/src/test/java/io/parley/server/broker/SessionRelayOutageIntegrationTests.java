package io.parley.server.broker;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * With one broker connection per session, sessions end with the broker and resume later.
 */
@UnlimitedServer
class SessionRelayOutageIntegrationTests extends RelayOutage {

	private static final MovingBroker broker = new MovingBroker();

	SessionRelayOutageIntegrationTests(ChatServer server, MeterRegistry meters) {
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
	void endsItsSessionsAndLetsThemResumeWithoutLoss() {
		String room = this.server.room("anna", "bert");
		long last;
		try (StompConnection bert = listener("bert", room, 0)) {
			last = this.server.user("anna").say(room, "c1", "before");
			bert.expectMessage("r", "c1");
			broker.stop();
			assertThat(bert.expectClosed()).isEqualTo(1013);
		}
		awaitRefused();
		this.server.user("anna").say(room, "c2", "during the outage");
		broker.startAtTheOtherAddress();
		try (StompConnection bert = listener("bert", room, last)) {
			this.server.user("anna").say(room, "c3", "after");
			bert.expectMessage("r", "c3");
			assertThat(said(bert)).containsExactly("during the outage", "after");
		}
	}

}
