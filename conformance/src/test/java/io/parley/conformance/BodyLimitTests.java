package io.parley.conformance;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The server buffers at most 64 KB of a body, with or without a token. */
@UnlimitedServer
class BodyLimitTests {

	private static final int MAX_BYTES = 64 * 1024;

	private final ChatServer server;

	BodyLimitTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@ValueSource(strings = { "/api/auth/login", "/api/auth/register", "/api/auth/refresh", "/api/rooms",
			"/api/rooms/x/messages", "/api/devices", "/", "/ws", "/livez" })
	void aBodyThatAnnouncesTooMuchIsRefusedUnread(String path) throws IOException {
		String answer = request(path, "Content-Length: 100000000", new byte[0]);
		assertThat(answer).startsWith("HTTP/1.1 413")
			.contains("message-too-large")
			.contains("application/problem+json");
	}

	/**
	 * A connection that is closed with unread data is reset, and the client may lose the
	 * answer. The body does not fit into the buffers of the connection.
	 */
	@RepeatedTest(10)
	void theRestOfABodyThatIsALittleTooLargeIsReadAfterTheAnswer() throws IOException {
		byte[] body = new byte[16 * MAX_BYTES];
		try (Socket socket = connect()) {
			write(socket, "/api/auth/login", "Content-Length: " + body.length, new byte[0]);
			StringBuilder answer = new StringBuilder();
			while (!answer.toString().endsWith("}")) {
				answer.append((char) socket.getInputStream().read());
			}
			assertThat(answer).startsWith("HTTP/1.1 413").containsIgnoringCase("connection: close");
			socket.getOutputStream().write(body);
			assertThat(socket.getInputStream().read()).isEqualTo(-1);
		}
	}

	@ParameterizedTest
	@CsvSource({ "/api/auth/login,0", "/api/auth/login,1000", "/api/auth/refresh,0" })
	void aBodyWithoutALengthIsCut(String path, int slice) throws IOException {
		String answer = request(path, "Transfer-Encoding: chunked", chunks(MAX_BYTES + 1, slice));
		assertThat(answer).startsWith("HTTP/1.1 413").contains("message-too-large");
	}

	@Test
	void aMessageWithoutALengthIsCutToo() throws IOException {
		String room = this.server.room("anna");
		String answer = request("/api/rooms/" + room + "/messages",
				"Transfer-Encoding: chunked\r\nAuthorization: Bearer " + this.server.user("anna").token(),
				chunks(10 * MAX_BYTES, 1_000));
		assertThat(answer).startsWith("HTTP/1.1 413").contains("message-too-large");
	}

	@Test
	void aFormIsLimitedToo() throws IOException {
		String answer = request("/api/auth/login",
				"Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked",
				chunks(10 * MAX_BYTES, 0));
		assertThat(answer).matches("(?s)HTTP/1.1 4(13|15|00) .*");
	}

	@Test
	void aBodyOfTheLargestSizeIsRead() {
		String padding = " ".repeat(MAX_BYTES - 60);
		assertThat(this.server.anonymous()
			.exchange("POST", "/api/auth/login", "{\"username\":\"nobody-at-all\",\"password\":\"wrong\"}" + padding)
			.status()).isEqualTo(401);
	}

	/**
	 * With its minimum data rate, Jetty would refuse a body whose two bytes take more
	 * than eight milliseconds.
	 */
	@Test
	void aSmallBodyMayArriveALittleLater() throws IOException {
		ChatApi anna = this.server.user("anna");
		String room = this.server.room("anna");
		try (Socket socket = connect()) {
			OutputStream out = socket.getOutputStream();
			out.write(("PUT /api/rooms/" + room + "/notifications HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
					+ "Content-Type: application/json\r\nContent-Length: 2\r\nAuthorization: Bearer " + anna.token()
					+ "\r\n\r\n")
				.getBytes(StandardCharsets.ISO_8859_1));
			for (int i = 0; i < 10; i++) {
				anna.get("/api/rooms").expect(200);
			}
			out.write("{}".getBytes(StandardCharsets.ISO_8859_1));
			assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1))
				.startsWith("HTTP/1.1 200");
		}
	}

	@Test
	void manyLargeBodiesAtOnceDoNotHarmTheServer() throws IOException {
		List<Socket> open = new ArrayList<>();
		try {
			for (int i = 0; i < 50; i++) {
				Socket socket = connect();
				open.add(socket);
				write(socket, "/api/auth/login", "Content-Length: 100000000", new byte[16]);
			}
			this.server.user("anna").get("/api/rooms").expect(200);
			assertThat(this.server.user("anna").post("/api/auth/refresh", Map.of("refreshToken", "x")).status())
				.isEqualTo(401);
		}
		finally {
			for (Socket socket : open) {
				socket.close();
			}
		}
	}

	private String request(String path, String header, byte[] body) throws IOException {
		try (Socket socket = connect()) {
			write(socket, path, header, body);
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port());
		socket.setSoTimeout(20_000);
		return socket;
	}

	private static void write(Socket socket, String path, String header, byte[] body) throws IOException {
		OutputStream out = socket.getOutputStream();
		String type = header.contains("Content-Type") ? "" : "Content-Type: application/json\r\n";
		out.write(("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + type + header + "\r\n\r\n")
			.getBytes(StandardCharsets.ISO_8859_1));
		try {
			out.write(body);
			out.flush();
		}
		catch (IOException ex) {
			// the server refused the body before all of it was sent
		}
	}

	/** Returns a JSON string in chunks of the given size; 0 sends one chunk. */
	private static byte[] chunks(int bytes, int slice) {
		StringBuilder body = new StringBuilder();
		int size = (slice > 0) ? slice : bytes;
		for (int left = bytes; left > 0; left -= size) {
			int length = Math.min(left, size);
			body.append(Integer.toHexString(length)).append("\r\n");
			body.append((left == bytes) ? "\"" + "x".repeat(length - 1) : "x".repeat(length)).append("\r\n");
		}
		return body.append("0\r\n\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
	}

}
