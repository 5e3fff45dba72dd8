package io.parley.conformance;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@UnlimitedServer
class ProbeTests {

	private final ChatServer server;

	ProbeTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@ValueSource(strings = { "/livez", "/readyz" })
	void answersOnTheMainPort(String path) {
		assertThat(this.server.anonymous().get(path).expect(200).body().path("status").asString()).isEqualTo("UP");
	}

	@Test
	void keepsTheRestOfTheActuatorOffTheMainPort() {
		for (String path : new String[] { "/actuator", "/actuator/health", "/actuator/prometheus", "/actuator/env" }) {
			assertThat(this.server.anonymous().get(path).status()).as(path).isEqualTo(404);
		}
	}

}
