package io.parley.conformance;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Every response of the server has the security headers, whatever part of it answers. */
@ProtocolTest(properties = { "chat.security.connect-origins=https://login.example.org",
		"server.forward-headers-strategy=native", "chat.limits.sessions=1" })
class SecurityHeadersTests {

	private static final String POLICY = "Content-Security-Policy: default-src 'self'; "
			+ "connect-src 'self' https://login.example.org; ";

	private static final String[] HEADERS = { POLICY, "; frame-ancestors 'none'", "; object-src 'none'",
			"X-Content-Type-Options: nosniff\r\n", "Referrer-Policy: no-referrer\r\n",
			"Cross-Origin-Opener-Policy: same-origin\r\n", "X-Frame-Options: DENY\r\n",
			"Permissions-Policy: camera=(), geolocation=(), microphone=()\r\n" };

	private static final String HSTS = "Strict-Transport-Security: max-age=31536000; includeSubDomains\r\n";

	private static final String UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade, close\r\n"
			+ "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n";

	private final ChatServer server;

	SecurityHeadersTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@CsvSource({ "GET, /, 200", "GET, /app.js, 200", "GET, /client/chat-client.js, 200", "GET, /favicon.svg, 200",
			"GET, /livez, 200", "GET, /readyz, 200", "GET, /api/rooms, 401", "GET, /api/push/log, 401",
			"POST, /api/auth/login, 400", "GET, /api/auth/login, 405", "GET, /nothing.js, 404", "GET, /webjars/, 404",
			"GET, /api/nothing, 401", "GET, /ws, 400", "PUT, /ws, 405", "GET, /error, 500", "TRACE, /, 400" })
	void everyResponseHasThem(String method, String path, String status) throws IOException {
		assertHasThem(send(method + " " + path + " HTTP/1.1", ""), status);
	}

	@Test
	void aFileThatHasNotChangedHasThem() throws IOException {
		String modified = send("GET /app.js HTTP/1.1", "").lines()
			.filter((line) -> line.startsWith("Last-Modified: "))
			.findFirst()
			.orElseThrow()
			.replace("Last-Modified", "If-Modified-Since");
		assertHasThem(send("GET /app.js HTTP/1.1", modified + "\r\n"), "304");
	}

	@Test
	void aBodyThatIsTooLargeHasThem() throws IOException {
		assertHasThem(send("POST /api/auth/login HTTP/1.1", "Content-Length: 100000000\r\n"), "413");
	}

	/** A socket takes its place shortly after its answer. */
	@Test
	void anUpgradeThatFindsNoPlaceHasThem() throws IOException {
		List<Socket> sockets = new ArrayList<>();
		try {
			await().until(() -> {
				Socket socket = connect();
				sockets.add(socket);
				socket.getOutputStream().write(request("GET /ws HTTP/1.1", UPGRADE));
				return firstLine(socket).equals("HTTP/1.1 503");
			});
			InputStream answer = sockets.getLast().getInputStream();
			assertHasThem("HTTP/1.1 503" + new String(answer.readAllBytes(), StandardCharsets.ISO_8859_1), "503");
		}
		finally {
			for (Socket socket : sockets) {
				socket.close();
			}
		}
	}

	@Test
	void anUpgradeFromAForeignPageHasThem() throws IOException {
		assertHasThem(send("GET /ws HTTP/1.1", "Origin: https://evil.example.org\r\n" + UPGRADE), "403");
	}

	@ParameterizedTest
	@CsvSource({ "GET / HTTP/7.7, 505", "GET /%zz HTTP/1.1, 400", "GET /a/%2e%2e/b HTTP/1.1, 400",
			"G@T / HTTP/1.1, 400" })
	void aRequestThatIsNoHttpHasThem(String line, String status) throws IOException {
		assertHasThem(send(line, ""), status);
	}

	@Test
	void headerFieldsThatAreTooLargeAreRefusedWithThem() throws IOException {
		assertHasThem(send("GET / HTTP/1.1", "X-Large: " + "a".repeat(20_000) + "\r\n"), "431");
	}

	@Test
	void saysToUseTlsOnlyOverTls() throws IOException {
		assertThat(send("GET / HTTP/1.1", "X-Forwarded-Proto: https\r\n")).contains(HSTS);
		assertThat(send("GET /api/rooms HTTP/1.1", "X-Forwarded-Proto: https\r\n")).contains(HSTS);
		assertThat(send("GET / HTTP/1.1", "")).doesNotContain("Strict-Transport-Security");
	}

	@Test
	void theApiIsNotCached() throws IOException {
		assertThat(send("GET /api/rooms HTTP/1.1", "")).contains("Cache-Control: no-cache, no-store");
	}

	private static void assertHasThem(String answer, String status) {
		assertThat(answer).startsWith("HTTP/1.1 " + status).contains(HEADERS);
		assertThat(answer.substring(0, answer.indexOf("\r\n\r\n"))).doesNotContain("Server:", "X-Powered-By:");
		for (String name : new String[] { "Content-Security-Policy:", "X-Content-Type-Options:", "X-Frame-Options:" }) {
			assertThat(answer.split(name, -1)).as(name).hasSize(2);
		}
	}

	private String send(String line, String fields) throws IOException {
		try (Socket socket = connect()) {
			String close = fields.contains("Connection:") ? "" : "Connection: close\r\n";
			socket.getOutputStream().write(request(line, fields + close));
			return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
		}
	}

	private static String firstLine(Socket socket) throws IOException {
		byte[] start = socket.getInputStream().readNBytes("HTTP/1.1 503".length());
		return new String(start, StandardCharsets.ISO_8859_1);
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), this.server.port());
		socket.setSoTimeout(20_000);
		return socket;
	}

	private static byte[] request(String line, String fields) {
		return (line + "\r\nHost: 127.0.0.1\r\n" + fields + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
	}

}
