package io.parley.nginx;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests attacks that must end at nginx, with a real nginx and a real chat-server in
 * containers. Sessions opened before and during an attack must keep working.
 */
@EnabledIfDockerAvailable
class AttackIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final long BODY_BYTES = 95_000_000;

	private static final String CUT = "";

	private static final byte[] PART = "x".repeat(1_000_000).getBytes(StandardCharsets.US_ASCII);

	@RegisterExtension
	static final RunningServer server = new RunningServer();

	private final List<Socket> open = new ArrayList<>();

	private GenericContainer<?> nginx;

	private ChatClient alice;

	private ChatSession before;

	@BeforeEach
	void start() throws Exception {
		this.nginx = Containers.nginx(server.network(), Map.of("CHAT_MAX_CONNECTIONS", "1000"));
		this.nginx.start();
		this.alice = server.alice().at(Containers.address(this.nginx));
		this.before = this.alice.join(server.room()).get(LONG.toSeconds(), TimeUnit.SECONDS);
	}

	@AfterEach
	void stop() throws IOException {
		for (Socket socket : this.open) {
			socket.close();
		}
		this.before.leave();
		this.alice.close();
		this.nginx.stop();
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(this.nginx.getHost(), this.nginx.getFirstMappedPort());
		socket.setSoTimeout((int) LONG.toMillis());
		synchronized (this.open) {
			this.open.add(socket);
		}
		return socket;
	}

	private Socket connect(String request) throws IOException {
		Socket socket = connect();
		socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
		return socket;
	}

	private static String statusLine(Socket socket) throws IOException {
		return new String(socket.getInputStream().readNBytes("HTTP/1.1 200".length()), StandardCharsets.US_ASCII);
	}

	private void assertServed(String text) throws Exception {
		ChatSession meanwhile = this.alice.join(server.room()).get(LONG.toSeconds(), TimeUnit.SECONDS);
		try {
			this.alice.say(server.room(), text);
			await().atMost(LONG).until(() -> this.before.heard(text) && meanwhile.heard(text));
			assertThat(this.before.failures()).isEmpty();
			assertThat(this.alice.get("/readyz").statusCode()).isEqualTo(200);
		}
		finally {
			meanwhile.leave();
		}
	}

	/** Sends bodies with an announced length, and in chunks without an end. */
	@Test
	void fiftyBodiesOf95MegabytesEndAtTheFront() throws Exception {
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<String>> chunked = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				Socket announced = connect(
						"POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
								+ "Content-Length: " + BODY_BYTES + "\r\n\r\n");
				assertThat(statusLine(announced)).isEqualTo("HTTP/1.1 413");
				chunked.add(threads.submit(this::sendChunks));
			}
			assertServed("nobody's body stops us");
			for (Future<String> answer : chunked) {
				assertThat(answer.get()).isIn("HTTP/1.1 413", CUT);
			}
		}
	}

	/**
	 * Sends a body in chunks until nginx refuses it. nginx may read on and drop what it
	 * reads, so that its response arrives. It would refuse that many sign-ins for another
	 * reason.
	 */
	private String sendChunks() throws IOException {
		try (Socket socket = connect("POST /api/rooms HTTP/1.1\r\nHost: x\r\n"
				+ "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")) {
			OutputStream out = socket.getOutputStream();
			for (long sent = 0; sent < BODY_BYTES; sent += PART.length) {
				out.write((Integer.toHexString(PART.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
				out.write(PART);
				out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
			}
			return statusLine(socket);
		}
		catch (IOException ex) {
			return CUT;
		}
	}

	/**
	 * Upgrade requests without WebSocket headers or from a foreign origin take no
	 * connection slot.
	 */
	@Test
	void requestsThatAreNoUpgradesTakeNoPlace() throws Exception {
		for (int i = 0; i < 200; i++) {
			String origin = (i % 2 == 0) ? ""
					: "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
							+ "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nOrigin: https://evil.example\r\n";
			Socket socket = connect("GET /ws HTTP/1.1\r\nHost: x\r\n" + origin + "\r\n");
			assertThat(statusLine(socket)).startsWith("HTTP/1.1 ").isNotEqualTo("HTTP/1.1 101");
			socket.close();
		}
		assertServed("still room for us");
	}

	/** Slowloris: five hundred requests that never become complete. */
	@Test
	void halfOpenRequestsHoldUpNobody() throws Exception {
		for (int i = 0; i < 500; i++) {
			connect((i % 2 == 0) ? "GET /api/rooms HTTP/1.1\r\nHost: x\r\nX-A"
					: "POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
							+ "Content-Length: 1000\r\n\r\n{");
		}
		assertServed("we do not wait for them");
	}

}
