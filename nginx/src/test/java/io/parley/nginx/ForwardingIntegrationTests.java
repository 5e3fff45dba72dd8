package io.parley.nginx;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests what nginx forwards to the chat-server, and its response when there is none. */
@EnabledIfDockerAvailable
class ForwardingIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private static final Network network = Network.newNetwork();

	private static final GenericContainer<?> echo = Containers.echo(network);

	/** With its default settings. */
	private static final GenericContainer<?> withDefaults = Containers.nginx(network, Map.of());

	private final HttpClient http = HttpClient.newHttpClient();

	private GenericContainer<?> nginx = withDefaults;

	@BeforeAll
	static void startAll() {
		echo.start();
		withDefaults.start();
	}

	@AfterAll
	static void stopAll() {
		withDefaults.stop();
		echo.stop();
		network.close();
	}

	@AfterEach
	void stop() {
		this.http.shutdownNow();
		if (this.nginx != withDefaults) {
			this.nginx.stop();
		}
	}

	@Test
	void stripsTheCompressionOffer() throws Exception {
		assertThat(RawRequest.upgrade("Sec-WebSocket-Extensions: permessage-deflate").send(this.nginx))
			.contains("extensions []", "upgrade [websocket]");
	}

	@Test
	void requiresAnUpgradeForTheWebSocketPath() throws Exception {
		HttpResponse<String> response = get("/ws", "Accept", "*/*");
		assertThat(response.statusCode()).isEqualTo(426);
		assertThat(response.headers().firstValue("Upgrade")).contains("websocket");
		assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
		assertThat(response.body()).contains("\"code\":\"bad-request\"");
		assertThat(RawRequest.post("/ws", "Upgrade: websocket\r\nConnection: Upgrade, close\r\n").send(this.nginx))
			.startsWith("HTTP/1.1 426")
			.contains(RawRequest.SECURITY_HEADERS);
	}

	@Test
	void forwardsOnlyWebSocketUpgrades() throws Exception {
		assertThat(RawRequest.post("/api/rooms", "Upgrade: h2c\r\nConnection: Upgrade, close\r\n").send(this.nginx))
			.contains("upgrade []");
		assertThat(RawRequest.post("/", "Upgrade: websocket\r\nConnection: Upgrade, close\r\n").send(this.nginx))
			.contains("upgrade []");
	}

	@Test
	void refusesABodyThatIsTooLarge() throws Exception {
		RawRequest announced = RawRequest.post("/api/rooms", "Content-Length: 65537\r\nConnection: close\r\n");
		RawRequest chunked = new RawRequest(
				RawRequest.post("/api/rooms", "Transfer-Encoding: chunked\r\nConnection: close\r\n").text()
						+ "10001\r\n" + "a".repeat(65537) + "\r\n0\r\n\r\n");
		for (RawRequest request : new RawRequest[] { announced, chunked }) {
			assertThat(request.send(this.nginx)).startsWith("HTTP/1.1 413")
				.contains("application/problem+json", "\"code\":\"message-too-large\"")
				.contains(RawRequest.SECURITY_HEADERS);
		}
	}

	@Test
	void addsNothingToServerResponses() throws Exception {
		HttpResponse<String> response = get("/", "Accept", "*/*");
		assertThat(response.headers().map()).doesNotContainKeys("x-content-type-options", "content-security-policy",
				"referrer-policy");
	}

	@Test
	void closesConnectionsThatSendTooSlowly() throws Exception {
		RawRequest halfHeader = new RawRequest("GET / HTTP/1.1\r\nHost: ch");
		RawRequest halfBody = RawRequest.post("/api/rooms", "Content-Length: 10\r\nConnection: close\r\n");
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Callable<String>> both = List.of(() -> halfHeader.send(this.nginx), () -> halfBody.send(this.nginx));
			for (Future<String> answer : threads.invokeAll(both)) {
				assertThat(answer.get()).doesNotContain("from ");
			}
		}
	}

	@Test
	void refusesHeaderFieldsThatAreTooLarge() throws Exception {
		String seven = "a".repeat(7000);
		String fields = "A: %s\r\nB: %s\r\nC: %s\r\nConnection: close\r\n".formatted(seven, seven, seven);
		assertThat(RawRequest.post("/", "A: " + seven + "\r\nConnection: close\r\n").send(this.nginx))
			.startsWith("HTTP/1.1 200");
		assertThat(RawRequest.post("/", fields).send(this.nginx)).startsWith("HTTP/1.1 400");
	}

	@Test
	void logsNoRoomUserOrDevice() throws Exception {
		String[] paths = { "/api/rooms/se.cret-1", "/api/rooms/se.cret-1/messages?after=7&q=se.cret-2",
				"/api/rooms/se.cret-1/members/se.cret-3", "/api//rooms/se.cret-1/read", "/x/../api/rooms/se.cret-1",
				"/api/%72ooms/se.cret-1/pin", "/API/rooms/se.cret-1", "/api/devices/se.cret-4",
				"/api/operator/users/se.cret-3", "/api/push/log.txt?user=se.cret-3", "/api/me/sign-ins/se.cret-5",
				"/api/invites/se.cret-6/accept", "/?room=se.cret-1" };
		for (String path : paths) {
			get(path, "Referer", "http://chat/?room=se.cret-1");
		}
		get("/last", "Accept", "*/*");
		await().atMost(LONG).until(() -> this.nginx.getLogs().contains("GET /last "));
		assertThat(this.nginx.getLogs()).doesNotContain("se.cret")
			.contains("GET /api/rooms/.../messages ", "GET /api/rooms/.../members ", "GET /api/devices/... ",
					"GET /api/operator/users/... ", "GET /api/push/log.txt ", "GET /api/me/sign-ins/... ",
					"GET /api/invites/... ", "GET / ");
	}

	@Test
	void believesNobodyWhoSaysWhereHeComesFrom() throws Exception {
		assertThat(get("/", "X-Forwarded-For", "198.51.100.7").body()).doesNotContain("198.51.100.7")
			.containsPattern("from \\d+\\.\\d+\\.\\d+\\.\\d+,");
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "Forwarded: for=198.51.100.7", "X-Forwarded-Host: evil.example.org", "X-Forwarded-Port: 198" })
	void forwardsNoOtherAddressHeaderOfClients(String field) throws Exception {
		assertThat(RawRequest.post("/", field + "\r\nConnection: close\r\n").send(this.nginx)).contains("others []");
	}

	@Test
	void forwardsTheLoopbackAddressWhileThePortIsLocal() throws Exception {
		this.nginx = Containers.nginx(network, Map.of("CHAT_PUBLISHED_ADDRESS", "127.0.0.1"));
		this.nginx.start();
		assertThat(get("/", "Accept", "*/*").body()).startsWith("from 127.0.0.1,");
		assertThat(get("/", "X-Forwarded-For", "198.51.100.7").body()).as("through a proxy")
			.doesNotStartWith("from 127.0.0.1,");
	}

	@Test
	void trustsConfiguredProxies() throws Exception {
		this.nginx = Containers.nginx(network, Map.of("CHAT_TRUSTED_PROXIES", Containers.PRIVATE));
		this.nginx.start();
		assertThat(get("/", "X-Forwarded-For", "198.51.100.7").body()).startsWith("from 198.51.100.7,");
	}

	@Test
	void saysWhenToRetryWithoutAServerAndFindsANewOne() throws Exception {
		this.nginx = Containers.nginx(network, Map.of("CHAT_SERVERS", "later:8080"))
			.waitingFor(Wait.forHttp("/").forStatusCode(503));
		this.nginx.start();
		RawRequest rest = RawRequest.post("/api/rooms", "Connection: close\r\n");
		for (RawRequest request : new RawRequest[] { rest, RawRequest.upgrade() }) {
			assertThat(request.send(this.nginx)).startsWith("HTTP/1.1 503")
				.contains("Retry-After: 10", "application/problem+json", "No chat server answers")
				.contains(RawRequest.SECURITY_HEADERS);
		}
		try (GenericContainer<?> later = Containers.echo(network, "later")) {
			later.start();
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(RawRequest.upgrade().send(this.nginx)).startsWith("HTTP/1.1 200"));
		}
	}

	/**
	 * For a few seconds a server that was removed takes neither connections nor refuses
	 * them.
	 */
	@Test
	void failsNoRequestWhenAServerIsRemoved() throws Exception {
		try (GenericContainer<?> removed = Containers.echo(network, "pair");
				GenericContainer<?> stays = Containers.echo(network, "pair");
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			removed.start();
			stays.start();
			this.nginx = Containers.nginx(network,
					Map.of("CHAT_SERVERS", "pair:8080", "CHAT_UPGRADES_PER_SECOND", "100000"));
			this.nginx.start();
			RawRequest rest = new RawRequest("GET /api/rooms HTTP/1.1\r\nHost: chat\r\nConnection: close\r\n\r\n");
			AtomicBoolean done = new AtomicBoolean();
			List<Future<Set<String>>> statuses = Stream.of(rest, rest, rest, RawRequest.upgrade())
				.map((request) -> threads.submit(() -> {
					Set<String> seen = new TreeSet<>();
					while (!done.get()) {
						seen.add(request.send(this.nginx).lines().findFirst().orElse("nothing"));
					}
					return seen;
				}))
				.toList();
			removed.stop();
			// Longer than nginx waits for a connection.
			await().pollDelay(Duration.ofSeconds(8)).until(() -> true);
			done.set(true);
			assertThat(this.nginx.getLogs()).contains("while connecting to upstream");
			for (Future<Set<String>> seen : statuses) {
				assertThat(seen.get()).containsExactly("HTTP/1.1 200 OK");
			}
		}
	}

	@Test
	void forwardsTheLastResponseWhenAllServersAreStopping() throws Exception {
		this.nginx = Containers.nginx(network, Map.of("CHAT_SERVERS", "stopping:8080"))
			.waitingFor(Wait.forHttp("/").forStatusCode(503));
		try (GenericContainer<?> stopping = Containers.stopping(network, "stopping")) {
			stopping.start();
			this.nginx.start();
			// nginx may have started before it knew the address.
			await().atMost(LONG)
				.untilAsserted(() -> assertThat(RawRequest.upgrade().send(this.nginx)).startsWith("HTTP/1.1 503")
					.contains("Retry-After: 5", "The server is starting or stopping."));
		}
	}

	private HttpResponse<String> get(String path, String header, String value) throws Exception {
		URI uri = URI.create("http://" + Containers.address(this.nginx) + path);
		return this.http.send(HttpRequest.newBuilder(uri).header(header, value).build(), BodyHandlers.ofString());
	}

}
