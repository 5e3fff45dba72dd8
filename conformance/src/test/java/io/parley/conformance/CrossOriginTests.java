package io.parley.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StrictServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Only the origins that may open a WebSocket may call the REST API. */
@StrictServer
class CrossOriginTests {

	private static final String ALLOWED = "https://chat.example.org";

	private final ChatServer server;

	CrossOriginTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void anAllowedOriginMaySendATokenAndABody() throws IOException {
		String answer = request("OPTIONS /api/rooms", "Origin: " + ALLOWED, "Access-Control-Request-Method: POST",
				"Access-Control-Request-Headers: authorization,content-type");
		assertThat(answer).startsWith("HTTP/1.1 200")
			.contains("Access-Control-Allow-Origin: " + ALLOWED)
			.contains("Access-Control-Allow-Headers: authorization, content-type");
	}

	@Test
	void anAllowedOriginReadsRefusalsToo() throws IOException {
		assertThat(request("GET /api/rooms", "Origin: " + ALLOWED)).startsWith("HTTP/1.1 401")
			.contains("Access-Control-Allow-Origin: " + ALLOWED);
	}

	@Test
	void otherOriginsMayNot() throws IOException {
		for (String origin : new String[] { "https://evil.example", "https://chat.example.org.evil.example", "null",
				"http://chat.example.org" }) {
			assertThat(request("OPTIONS /api/rooms", "Origin: " + origin, "Access-Control-Request-Method: POST"))
				.startsWith("HTTP/1.1 403")
				.doesNotContain("Access-Control-Allow-Origin");
		}
	}

	@Test
	void thePageConnectsToItsOwnServerOnly() throws IOException {
		assertThat(request("GET /")).contains("connect-src 'self';").doesNotContain("ws:").doesNotContain("wss:");
	}

	private String request(String line, String... headers) throws IOException {
		try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port())) {
			socket.setSoTimeout(20_000);
			StringBuilder request = new StringBuilder(line + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n");
			for (String header : headers) {
				request.append(header).append("\r\n");
			}
			socket.getOutputStream().write(request.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

}
