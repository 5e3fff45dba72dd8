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

	/** Jetty rejects some of them, and Spring Security the others. */
	@ParameterizedTest
	@ValueSource(strings = { "GET //api/rooms", "GET /api//rooms", "GET /api/./rooms", "GET /api/%2e/rooms",
			"GET /api/x/../rooms", "GET /api/x/%2e%2e/rooms", "GET /api/rooms;x=1", "GET /api/rooms%3Bx",
			"GET /api/rooms%2Fx", "GET /api/rooms%5Cx", "GET /api/rooms%25x", "GET /api/rooms%0Ax",
			"GET /api/rooms%7Fx", "GET /api/rooms%E2%80%A8x", "GET /;x=1", "GET /ws;x=1", "ANY /api/rooms" })
	void areAnsweredWithACode(String request) throws IOException {
		String answer = answer(request + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
		assertThat(answer).startsWith("HTTP/1.1 400 ")
			.contains("application/problem+json")
			.contains("\"code\":\"bad-request\"");
	}

	@ParameterizedTest
	@ValueSource(strings = { "GET /api/blocks/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
			"PUT /api/blocks/%00 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
			"GET /api/rooms/%zz HTTP/1.1\r\nHost: x\r\n\r\n", "GET /api/rooms HTTP/1.1\r\nHost x\r\n\r\n",
			"GET /api/rooms HTTP/1.1\r\n\r\n" })
	void announceTheEndOfTheirConnection(String request) throws IOException {
		assertThat(answer(request)).startsWith("HTTP/1.1 400 ")
			.containsIgnoringCase("\r\nConnection: close\r\n")
			.contains("\"code\":\"bad-request\"");
	}

	private String answer(String request) throws IOException {
		try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port())) {
			socket.setSoTimeout(LONGEST_WAIT);
			socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
		}
	}

}
