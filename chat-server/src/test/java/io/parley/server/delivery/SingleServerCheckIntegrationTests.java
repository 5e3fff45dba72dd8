package io.parley.server.delivery;

import java.time.Instant;

import io.parley.server.presence.NodeProperties;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.presence.NodePresence;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@UnlimitedServer
class SingleServerCheckIntegrationTests {

	private final NodePresence presence;

	private final String here;

	SingleServerCheckIntegrationTests(NodePresence presence, NodeProperties node) {
		this.presence = presence;
		this.here = node.idOrHostName();
	}

	@AfterEach
	void forget() {
		this.presence.end("another");
	}

	@Test
	void startsWhenNoOtherServerIsRunning() {
		this.presence.begin(this.here, Instant.now().plusSeconds(60));
		assertThatCode(() -> SingleServerCheck.requireNoOtherServer(this.presence, this.here))
			.doesNotThrowAnyException();
	}

	@Test
	void startsWhenTheOtherServerIsDead() {
		this.presence.begin("another", Instant.now().minusSeconds(1));
		assertThatCode(() -> SingleServerCheck.requireNoOtherServer(this.presence, this.here))
			.doesNotThrowAnyException();
	}

	@Test
	void refusesWhileAnotherServerIsAliveAndExplainsWhatToDo() {
		this.presence.begin("another", Instant.now().plusSeconds(60));
		assertThatExceptionOfType(ImpossibleSettingsException.class)
			.isThrownBy(() -> SingleServerCheck.requireNoOtherServer(this.presence, this.here))
			.withMessageContaining("'another' is running too: set chat.broker.mode=bus");
	}

}
