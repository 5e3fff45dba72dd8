package io.parley.system.attack;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Floods the server with requests, sockets and bytes while other users must be served.
 */
@Tag("exhaustive")
class FloodAttackIntegrationTests {

	private static final int CONNECTS_PER_SECOND = 100;

	private static final int BODY_BYTES = 95_000_000;

	@RegisterExtension
	static final AttackedServer server = new AttackedServer("--chat.limits.exempt-addresses=none",
			"--chat.limits.connects-per-second=" + CONNECTS_PER_SECOND, "--chat.session.connect-timeout=2s",
			"--server.jetty.connection-idle-timeout=3s");

	@ParameterizedTest
	@ValueSource(ints = { 4, 50 })
	void bodiesOf95MegabytesAreNotBuffered(int count) throws Exception {
		String token = server.token("mallory");
		String room = server.room("mallory");
		List<String> paths = List.of("/api/auth/login", "/api/auth/register", "/api/auth/refresh",
				"/api/rooms/" + room + "/messages");
		List<Integer> announced = AttackedServer.atOnce(count,
				(i) -> sendAnnounced(paths.get(i % paths.size()), token));
		assertThat(announced).containsOnly(413);
		List<Long> taken = AttackedServer.atOnce(count, (i) -> sendChunks(paths.get(i % paths.size()), token));
		assertThat(taken).allMatch((bytes) -> bytes < BODY_BYTES);
	}

	private static int sendAnnounced(String path, String token) {
		try (RawHttp http = server.http(server.stranger())) {
			http.send("POST " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
					+ "\r\nContent-Type: application/json\r\nContent-Length: " + BODY_BYTES + "\r\n\r\n\"");
			int status = http.status();
			byte[] part = new byte[1_000_000];
			for (int sent = 0; sent < BODY_BYTES && http.send(part); sent += part.length) {
				// until the server has closed the connection
			}
			return status;
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
	}

	/** Returns how many bytes were sent before the server closed the connection. */
	private static long sendChunks(String path, String token) {
		try (RawHttp http = server.http(server.stranger())) {
			http.send("POST " + path + " HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + token
					+ "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n\"\r\n");
			String part = "186a0\r\n" + "x".repeat(100_000) + "\r\n";
			long sent = 0;
			while (sent < BODY_BYTES && http.send(part)) {
				sent += part.length();
			}
			return sent;
		}
	}

	@Test
	void aFloodOfUpgradesOfOneAddressShutsNobodyOut() throws Exception {
		List<String> others = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			server.token("guest-" + i);
		}
		String flooder = server.stranger();
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger rejected = new AtomicInteger();
		try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 8; i++) {
				attackers.submit(() -> {
					while (!over.get()) {
						flood(flooder, rejected);
					}
				});
			}
			try {
				Awaitility.await("refusals").until(() -> rejected.get() >= 2 * CONNECTS_PER_SECOND);
				for (int i = 0; i < 20; i++) {
					String other = "guest-" + i % 4;
					RawStomp socket = server.socket(server.stranger());
					assertThat(socket.status()).as("the upgrade of another address").isEqualTo(101);
					others.add(socket.readOn()
						.connect(server.token(other))
						.await("CONNECTED", (frame) -> frame.startsWith("CONNECTED")));
				}
			}
			finally {
				over.set(true);
			}
		}
		assertThat(others).hasSize(20);
	}

	/**
	 * Alternates between valid upgrades, plain GETs and upgrades with a foreign origin.
	 */
	private static void flood(String from, AtomicInteger rejected) {
		try (RawStomp upgrade = server.socket(from)) {
			assertThat(upgrade.status()).isIn(101, 503);
			rejected.addAndGet((upgrade.status() == 503) ? 1 : 0);
		}
		assertThat(server.call(from, "GET", "/ws", null, null).status()).isIn(400, 405, 426);
		try (RawStomp foreign = server.socket(from, "Origin: https://evil.example")) {
			assertThat(foreign.status()).isEqualTo(403);
		}
	}

	/** Such sockets occupy a session until the CONNECT timeout only. */
	@Test
	void socketsThatNeverConnectAreClosed() throws Exception {
		List<RawStomp> silent = AttackedServer.atOnce(60, (i) -> {
			RawStomp socket = server.socket(server.stranger());
			return socket.readOn();
		});
		List<RawStomp> slow = AttackedServer.atOnce(20, (i) -> server.socket(server.stranger()).readOn());
		assertThat(silent).extracting(RawStomp::status).containsOnly(101);
		byte[] connect = "CONNECT\naccept-version:1.2\n".repeat(20)
			.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
		ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
		try {
			AtomicInteger next = new AtomicInteger();
			slow.forEach((socket) -> socket.write(new byte[] { (byte) 0x81, (byte) 0xfe, 1, 0, 0, 0, 0, 0 }));
			clock.scheduleAtFixedRate(() -> {
				byte[] one = { connect[next.getAndIncrement() % connect.length] };
				slow.forEach((socket) -> socket.write(one));
			}, 0, 200, TimeUnit.MILLISECONDS);
			assertThat(silent).allSatisfy((socket) -> assertThat(socket.awaitClosed()).isIn(4408, 1006));
			assertThat(slow).allSatisfy((socket) -> assertThat(socket.awaitClosed()).isIn(4408, 1006));
		}
		finally {
			clock.shutdownNow();
		}
	}

	@Test
	void aSocketMaySendLittleBeforeConnect() throws Exception {
		List<Integer> codes = AttackedServer.atOnce(50, (i) -> {
			RawStomp socket = server.socket(server.stranger()).readOn();
			if (i % 2 == 0) {
				socket.text("CONNECT\nx:" + "y".repeat(256 * 1024) + "\n\n\0");
			}
			else {
				// In fragments: the first one announces that more will follow.
				boolean sent = socket.message(0x01, "CONNECT\nx:".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
				for (int part = 0; part < 64 && sent; part++) {
					sent = socket.message(0x00, new byte[4_096]);
				}
			}
			return socket.awaitClosed();
		});
		assertThat(codes).isSubsetOf(1009, 1002, 1006, 4408);
		assertThat(codes).doesNotContain(4408);
	}

	/** Slowloris: requests that never become complete. */
	@Test
	void fiveHundredHalfOpenRequestsHoldUpNobody() throws Exception {
		List<RawHttp> halfOpen = AttackedServer.atOnce(500, (i) -> {
			RawHttp http = server.http(server.stranger());
			switch (i % 4) {
				case 0 -> http.send("GET /api/ro");
				case 1 -> http.send("POST /api/auth/login HTTP/1.1\r\nHost: x\r\nX-A: ");
				case 2 -> http.send("POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
						+ "Content-Length: 1000\r\n\r\n{");
				default -> http.send("POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
						+ "Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n");
			}
			return http;
		});
		String token = server.token("guest-0");
		for (int i = 0; i < 20; i++) {
			assertThat(server.call(server.stranger(), "GET", "/api/rooms", token, null).status()).isEqualTo(200);
			try (RawStomp socket = server.socket(server.stranger()).readOn()) {
				socket.connect(token).await("CONNECTED", (frame) -> frame.startsWith("CONNECTED"));
			}
		}
		// The server ends these requests and releases their resources.
		assertThat(AttackedServer.atOnce(halfOpen.size(), (i) -> {
			try {
				return halfOpen.get(i).readAll();
			}
			catch (IOException ex) {
				throw new AssertionError(ex);
			}
		})).noneMatch((answer) -> answer.startsWith("HTTP/1.1 2"));
	}

	/**
	 * More requests than one address may have in progress. Requests of other addresses
	 * are still accepted.
	 */
	@Test
	void halfOpenBodiesOfOneAddressTakeHalfOfThePlaces() throws Exception {
		String flooder = server.stranger();
		List<RawHttp> halfOpen = AttackedServer.atOnce(700, (i) -> {
			RawHttp http = server.http(flooder);
			http.send("POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
					+ "Content-Length: 1000\r\n\r\n{");
			return http;
		});
		String room = server.room("guest-1");
		assertThat(server
			.call(server.stranger(), "POST", "/api/rooms/" + room + "/messages", server.token("guest-1"),
					"{\"clientId\":\"g2\",\"text\":\"x\"}")
			.status()).isEqualTo(202);
		List<String> answers = AttackedServer.atOnce(halfOpen.size(), (i) -> {
			try {
				return halfOpen.get(i).readAll();
			}
			catch (IOException ex) {
				throw new AssertionError(ex);
			}
		});
		assertThat(answers).noneMatch((answer) -> answer.startsWith("HTTP/1.1 2"))
			.anyMatch((answer) -> answer.startsWith("HTTP/1.1 503") && answer.contains("server-busy"));
	}

	/**
	 * Read markers, rooms and memberships over HTTP have the same limits as over STOMP.
	 */
	@Test
	void writesOverHttpAreLimited() throws Exception {
		String room = server.room("writer", "guest-1");
		for (String[] write : new String[][] { { "PUT", "/api/rooms/" + room + "/read", "{\"position\":0}" },
				{ "POST", "/api/rooms", "{\"name\":\"n\",\"kind\":\"group\"}" },
				{ "POST", "/api/rooms/" + room + "/members", "{\"username\":\"guest-1\"}" },
				{ "POST", "/api/devices", "{\"token\":\"t\",\"platform\":\"web\"}" } }) {
			List<Integer> statuses = AttackedServer.atOnce(20, (i) -> {
				String from = server.stranger();
				int last = 0;
				for (int round = 0; round < 40 && last != 429; round++) {
					last = server.call(from, write[0], write[1], server.token("writer"), write[2]).status();
				}
				return last;
			});
			assertThat(statuses).as(write[1]).contains(429).allMatch((status) -> status < 500);
		}
	}

	/**
	 * Each kind of request has its limit, and one user exhausts only that user's limits.
	 */
	@Test
	void oneUserWithFiftySocketsStarvesNobody() throws Exception {
		String token = server.token("busy");
		String room = server.room("busy", "guest-1");
		String refresh = AttackedServer
			.json(server.call(server.stranger(), "POST", "/api/auth/login", null,
					"{\"username\":\"busy\",\"password\":\"" + AttackedServer.password("busy") + "\"}"))
			.path("refreshToken")
			.asString();
		AtomicBoolean over = new AtomicBoolean();
		AtomicInteger refusedPosts = new AtomicInteger();
		AtomicInteger refusedFrames = new AtomicInteger();
		AtomicInteger refusedSessions = new AtomicInteger();
		try (ExecutorService attackers = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 50; i++) {
				int number = i;
				String from = server.stranger();
				attackers.submit(() -> {
					RawStomp socket = server.socket(from).readOn().connect(token);
					String first = socket.await("an answer to CONNECT", (frame) -> true);
					refusedSessions.addAndGet(first.contains("too-many-sessions") ? 1 : 0);
					socket.frame("SUBSCRIBE", "", "id:me", "destination:/user/queue/events");
					for (int round = 0; !over.get(); round++) {
						socket.frame("SUBSCRIBE", "", "id:s", "destination:/topic/rooms." + room, "after:0");
						socket.frame("SEND", "{\"clientId\":\"" + number + "-" + round + "\",\"text\":\"x\"}",
								"destination:/app/rooms." + room + ".send");
						socket.frame("UNSUBSCRIBE", "", "id:s");
						if (socket.frames().stream().anyMatch((frame) -> frame.contains("rate-limited"))) {
							refusedFrames.incrementAndGet();
						}
						int status = server
							.call(from, "POST", "/api/rooms/" + room + "/messages", token,
									"{\"clientId\":\"h" + number + "-" + round + "\",\"text\":\"x\"}")
							.status();
						assertThat(status).isIn(202, 429);
						refusedPosts.addAndGet((status == 429) ? 1 : 0);
						assertThat(server.call(from, "GET", "/api/rooms/" + room + "/messages?limit=200", token, null)
							.status()).isIn(200, 429);
						assertThat(server
							.call(from, "POST", "/api/auth/refresh", null, "{\"refreshToken\":\"" + refresh + "\"}")
							.status()).isIn(200, 429);
					}
				});
			}
			try {
				server.honest().awaitMore();
				Awaitility.await("refusals")
					.atMost(java.time.Duration.ofSeconds(30))
					.until(() -> refusedPosts.get() > 0 && refusedFrames.get() > 0 && refusedSessions.get() == 30);
			}
			finally {
				over.set(true);
			}
		}
		// Other users are not affected.
		assertThat(server
			.call(server.stranger(), "POST", "/api/rooms/" + room + "/messages", server.token("guest-1"),
					"{\"clientId\":\"g1\",\"text\":\"x\"}")
			.status()).isEqualTo(202);
	}

}
