package io.parley.nginx;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.net.http.WebSocketHandshakeException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.testcontainers.containers.Container.ExecResult;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the limits per address. The addresses come from a trusted proxy, which is this
 * test.
 */
@EnabledIfDockerAvailable
class AddressLimitIntegrationTests {

	private static final String GREEDY = "198.51.100.1";

	private static final int OTHERS = 20;

	@RegisterExtension
	static final RunningServer server = new RunningServer();

	private final List<ChatSession> held = new ArrayList<>();

	private GenericContainer<?> nginx;

	private ChatClient alice;

	private void start(String... settings) {
		Map<String, String> all = new HashMap<>(Map.of("CHAT_TRUSTED_PROXIES", Containers.PRIVATE));
		for (int i = 0; i < settings.length; i += 2) {
			all.put(settings[i], settings[i + 1]);
		}
		this.nginx = Containers.nginx(server.network(), all);
		this.nginx.start();
		this.alice = server.alice().at(Containers.address(this.nginx));
	}

	@AfterEach
	void stop() {
		this.held.forEach(ChatSession::leave);
		if (this.alice != null) {
			this.alice.close();
		}
		this.nginx.stop();
	}

	@Test
	void acceptsTwentyOthersWhileOneAddressFloods() {
		start("CHAT_UPGRADES_PER_SECOND", "40");
		List<CompletableFuture<ChatSession>> flood = ask(this.alice.from(GREEDY), 300);
		assertThat(take(askFromOthers())).as("accepted sessions of others").isEqualTo(OTHERS);
		assertThat(take(flood)).as("accepted sessions of the flood").isBetween(1, 299);
	}

	@Test
	void keepsHalfOfTheConnectionsForOtherAddresses() {
		start("CHAT_MAX_CONNECTIONS", String.valueOf(2 * OTHERS));
		assertThat(take(ask(this.alice.from(GREEDY), 2 * OTHERS))).isEqualTo(OTHERS);
		assertThat(take(askFromOthers())).isEqualTo(OTHERS);
	}

	@Test
	void limitsTheConnectionsOfOneAddress() {
		start("CHAT_MAX_CONNECTIONS_PER_ADDRESS", "10");
		assertThat(take(ask(this.alice.from(GREEDY), 12))).isEqualTo(10);
	}

	@Test
	void countsANetworkOfIpVersion6AsOneAddress() {
		start("CHAT_MAX_CONNECTIONS_PER_ADDRESS", "1");
		assertThat(take(ask(this.alice.from("2001:db8:1:2::7"), 1))).isEqualTo(1);
		assertThat(take(ask(this.alice.from("2001:db8:1:2:8:9:a:b"), 1))).as("the same network").isZero();
		assertThat(take(ask(this.alice.from("2001:db8:1:3::7"), 1))).as("another network").isEqualTo(1);
	}

	@Test
	void limitsTheSignInsOfOneAddressOnly() {
		start("CHAT_SIGN_INS_PER_SECOND_PER_ADDRESS", "1");
		ChatClient greedy = this.alice.from(GREEDY);
		List<HttpResponse<String>> answers = Stream.generate(greedy::failToSignIn)
			.limit(60)
			.toList()
			.stream()
			.map(CompletableFuture::join)
			.toList();
		assertThat(answers).filteredOn((answer) -> answer.statusCode() == 401).hasSizeGreaterThanOrEqualTo(3);
		assertThat(answers).filteredOn((answer) -> answer.statusCode() != 401).isNotEmpty().allSatisfy((answer) -> {
			assertThat(answer.statusCode()).isEqualTo(429);
			assertThat(answer.headers().firstValue("Retry-After")).contains("1");
			assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
			assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
			assertThat(answer.body()).contains("\"code\":\"rate-limited\"");
		});
		assertThat(this.alice.from("203.0.113.9").failToSignIn().join().statusCode()).isEqualTo(401);
	}

	@Test
	void limitsTheSlowRequestsOfOneAddressTo250() throws Exception {
		start();
		byte[] request = RawRequest.post("/api/rooms", "X-Forwarded-For: " + GREEDY + "\r\nContent-Length: 60000\r\n")
			.text()
			.getBytes(StandardCharsets.US_ASCII);
		List<Socket> slow = new ArrayList<>();
		try {
			for (int i = 0; i < 250; i++) {
				slow.add(begin(request));
			}
			await().atMost(ConnectionLimitIntegrationTests.LONG).until(() -> {
				for (int i = 0; i < slow.size(); i++) {
					try {
						slow.get(i).getOutputStream().write('a');
					}
					catch (IOException ex) {
						// Refused, because nginx read it after a request of alice.
						slow.get(i).close();
						slow.set(i, begin(request));
					}
				}
				return this.alice.from(GREEDY).get("/readyz").statusCode() == 429;
			});
			assertThat(this.alice.from("203.0.113.9").get("/readyz").statusCode()).isEqualTo(200);
		}
		finally {
			for (Socket socket : slow) {
				socket.close();
			}
		}
	}

	private Socket begin(byte[] request) throws IOException {
		Socket socket = new Socket(this.nginx.getHost(), this.nginx.getFirstMappedPort());
		socket.getOutputStream().write(request);
		return socket;
	}

	@Test
	void limitsNoAddressThatIsExempt() {
		start("CHAT_MAX_CONNECTIONS_PER_ADDRESS", "1", "CHAT_EXEMPT_ADDRESSES", "192.0.2.1,198.51.100.0/24");
		assertThat(take(ask(this.alice.from(GREEDY), 3))).isEqualTo(3);
		assertThat(take(ask(this.alice.from("203.0.113.9"), 3))).isEqualTo(1);
	}

	@Test
	void exemptsLoopbackAddressesByDefault() {
		start("CHAT_MAX_CONNECTIONS_PER_ADDRESS", "1");
		assertThat(take(ask(this.alice.from("127.0.0.9"), 3))).isEqualTo(3);
	}

	@Test
	void exemptsNoAddressWhenConfigured() {
		start("CHAT_MAX_CONNECTIONS_PER_ADDRESS", "1", "CHAT_EXEMPT_ADDRESSES", "none");
		assertThat(take(ask(this.alice.from("127.0.0.9"), 3))).isEqualTo(1);
	}

	/** The clients of a developer machine connect from the gateway of the container. */
	@ParameterizedTest
	@CsvSource({ "127.0.0.1, 3", "0.0.0.0, 1" })
	void exemptsThisMachineWhileThePortIsLocal(String published, int expected) {
		start("CHAT_MAX_CONNECTIONS_PER_ADDRESS", "1", "CHAT_TRUSTED_PROXIES", "", "CHAT_PUBLISHED_ADDRESS", published);
		assertThat(take(ask(this.alice, 3))).isEqualTo(expected);
	}

	@ParameterizedTest
	@CsvSource({ "[::1], 3", "192.0.2.1, 1", "'', 1" })
	@Tag("exhaustive")
	void exemptsThisMachineByEachOfItsAddresses(String published, int expected) {
		exemptsThisMachineWhileThePortIsLocal(published, expected);
	}

	/** Such as a TLS proxy on this machine that the operator has not configured. */
	@Test
	void exemptsNoUnknownProxy() {
		start("CHAT_MAX_CONNECTIONS_PER_ADDRESS", "1", "CHAT_TRUSTED_PROXIES", "", "CHAT_PUBLISHED_ADDRESS",
				"127.0.0.1");
		assertThat(take(ask(this.alice.from(GREEDY), 3))).isEqualTo(1);
	}

	@Test
	void namesTheInvalidSetting() throws Exception {
		start();
		for (String setting : List.of("CHAT_MAX_CONNECTIONS=0", "CHAT_MAX_CONNECTIONS_PER_ADDRESS=-1",
				"CHAT_UPGRADES_PER_SECOND=many", "CHAT_UPGRADES_PER_SECOND_PER_ADDRESS=0.5",
				"CHAT_SIGN_INS_PER_SECOND_PER_ADDRESS=0", "CHAT_DRAIN_SECONDS=10s",
				"CHAT_EXEMPT_ADDRESSES=example.org")) {
			String[] parts = setting.split("=");
			// Runs the entry point of the container with one more setting.
			ExecResult result = this.nginx.execInContainer("env", setting, "/docker-entrypoint.sh", "nginx", "-t");
			assertThat(result.getExitCode()).as(setting).isNotZero();
			assertThat(result.getStdout() + result.getStderr())
				.containsPattern("nginx: " + parts[0] + " .*\"" + parts[1] + "\": set .*")
				.doesNotContain("emerg");
		}
	}

	private static List<CompletableFuture<ChatSession>> ask(ChatClient client, int sessions) {
		return Stream.generate(() -> client.join(server.room())).limit(sessions).toList();
	}

	private List<CompletableFuture<ChatSession>> askFromOthers() {
		return IntStream.rangeClosed(1, OTHERS)
			.mapToObj((n) -> this.alice.from("203.0.113." + n).join(server.room()))
			.toList();
	}

	/** Returns the number of sessions that were accepted. */
	private int take(List<CompletableFuture<ChatSession>> asked) {
		int before = this.held.size();
		for (CompletableFuture<ChatSession> each : asked) {
			try {
				this.held
					.add(each.orTimeout(ConnectionLimitIntegrationTests.LONG.toSeconds(), TimeUnit.SECONDS).join());
			}
			catch (CompletionException ex) {
				assertThat(ex).hasCauseInstanceOf(WebSocketHandshakeException.class);
			}
		}
		return this.held.size() - before;
	}

}
