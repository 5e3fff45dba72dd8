package io.parley.conformance;

import java.net.ConnectException;
import java.net.Socket;

import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

@UnlimitedServer
class AddressTests {

	/** A loopback address of this machine other than 127.0.0.1. */
	private static final String ANOTHER_ADDRESS = "127.0.0.2";

	private final Environment environment;

	AddressTests(Environment environment) {
		this.environment = environment;
	}

	@ParameterizedTest
	@ValueSource(strings = { "local.server.port", "local.management.port" })
	void listensAtTheLoopbackAddressOnly(String key) throws Exception {
		int port = this.environment.getRequiredProperty(key, Integer.class);
		try (Socket socket = new Socket("127.0.0.1", port)) {
			assertThat(socket.isConnected()).isTrue();
		}
		assertThatThrownBy(() -> new Socket(ANOTHER_ADDRESS, port).close()).isInstanceOf(ConnectException.class);
	}

}
