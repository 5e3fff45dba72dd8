package io.parley.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Handshake;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One address cannot use up the connect rate of the server, and requests that are not
 * upgrades do not count.
 */
@ProtocolTest(properties = { "chat.limits.connects-per-second=20", "chat.limits.exempt-addresses=none",
		"chat.security.allowed-origins=https://chat.example.org" })
class AdmissionTests {

	/** Half of 20. */
	private static final int CONNECTS_OF_ADDRESS = 10;

	private final ChatServer server;

	private final List<Handshake> open = new ArrayList<>();

	AdmissionTests(ChatServer server) {
		this.server = server;
	}

	@AfterEach
	void closeAll() {
		this.open.forEach(Handshake::close);
	}

	private int handshake(String from, String... headers) {
		Handshake handshake = Handshake.from(from, this.server, headers);
		this.open.add(handshake);
		return handshake.status();
	}

	@Test
	void requestsWithoutUpgradeDoNotCount() throws IOException {
		for (int i = 0; i < 200; i++) {
			assertThat(get("/ws")).startsWith("HTTP/1.1 4");
		}
		assertThat(handshake("127.0.5.1")).isEqualTo(101);
	}

	private String get(String path) throws IOException {
		try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port())) {
			socket.setSoTimeout(20_000);
			socket.getOutputStream()
				.write(("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
					.getBytes(StandardCharsets.ISO_8859_1));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

	@Test
	void foreignOriginsDoNotCount() {
		for (int i = 0; i < 200; i++) {
			assertThat(handshake("127.0.5.2", "Origin: https://evil.example")).isEqualTo(403);
		}
		assertThat(handshake("127.0.5.2", "Origin: https://chat.example.org")).isEqualTo(101);
	}

	@Test
	void aFloodOfOneAddressTurnsNobodyElseAway() {
		int refused = 0;
		for (int i = 0; i < 5 * CONNECTS_OF_ADDRESS; i++) {
			refused += (handshake("127.0.5.3") == 503) ? 1 : 0;
		}
		assertThat(refused).isPositive();
		for (int i = 0; i < 5; i++) {
			assertThat(handshake("127.0.6." + (i + 1))).isEqualTo(101);
		}
	}

}
