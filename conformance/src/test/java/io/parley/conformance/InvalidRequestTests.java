package io.parley.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Requests that do not reach any controller. */
@ProtocolTest
class InvalidRequestTests {

	private static final int LONGEST_WAIT = 30_000;

	private final ChatServer server;

	InvalidRequestTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET /api/blocks/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
			"PUT /api/blocks/%00 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
			"GET /api/rooms/%zz HTTP/1.1\r\nHost: x\r\n\r\n", "GET /api/rooms HTTP/1.1\r\nHost x\r\n\r\n",
			"GET /api/rooms HTTP/1.1\r\n\r\n" })
	void announceTheEndOfTheirConnection(String request) throws IOException {
		try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port())) {
			socket.setSoTimeout(LONGEST_WAIT);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
			assertThat(answer).startsWith("HTTP/1.1 400 ")
				.containsIgnoringCase("\r\nConnection: close\r\n")
				.contains("\"code\":\"bad-request\"");
		}
	}

}
