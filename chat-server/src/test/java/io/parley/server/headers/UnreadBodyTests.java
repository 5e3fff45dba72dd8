package io.parley.server.headers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Collectors;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A request is answered before its body arrives. */
@UnlimitedServer
class UnreadBodyTests {

	private static final int LONGEST_WAIT = 30_000;

	private final ChatServer server;

	UnreadBodyTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@CsvSource({ "PUT,/api/rooms/x/invites/y,405", "POST,/api/nowhere,404", "DELETE,/api/rooms/x/bans/y,403",
			"POST,/api/operator/users/nobody/reset,404", "POST,/api/operator/users/tess/reset,201" })
	void theAnswerAnnouncesTheEndOfTheConnection(String method, String path, int status) throws IOException {
		this.server.user("tess");
		try (Socket socket = connect()) {
			send(socket, method, path, "");
			assertThat(head(socket)).startsWith("http/1.1 " + status + " ").contains("connection: close");
		}
	}

	@Test
	void theConnectionStaysWhenTheBodyIsThere() throws IOException {
		try (Socket socket = connect()) {
			send(socket, "DELETE", "/api/rooms/x/bans/y", "{}");
			assertThat(head(socket)).startsWith("http/1.1 403 ").doesNotContain("connection: close");
		}
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port());
		socket.setSoTimeout(LONGEST_WAIT);
		return socket;
	}

	private void send(Socket socket, String method, String path, String body) throws IOException {
		String request = "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n%s"
			.formatted(method, path, this.server.user("olga").token(), body);
		socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
	}

	private static String head(Socket socket) throws IOException {
		BufferedReader answer = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
		return answer.lines()
			.takeWhile((line) -> !line.isEmpty())
			.collect(Collectors.joining("\n"))
			.toLowerCase(Locale.ROOT);
	}

}
