package io.parley.nginx;

import java.net.http.HttpResponse;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the connection limits, with a real nginx and a real chat-server in containers.
 */
@EnabledIfDockerAvailable
class ConnectionLimitIntegrationTests {

	private static final int CAP = 100;

	private static final int ASKED = CAP + CAP / 5;

	static final Duration LONG = Duration.ofSeconds(60);

	@RegisterExtension
	static final RunningServer server = new RunningServer();

	private final List<ChatSession> held = new ArrayList<>();

	private final List<HttpResponse<?>> refused = new ArrayList<>();

	private GenericContainer<?> nginx;

	private ChatClient alice;

	@BeforeEach
	void startNginx() {
		startNginx(Map.of("CHAT_MAX_CONNECTIONS", String.valueOf(CAP), "CHAT_EXEMPT_ADDRESSES", Containers.ANYWHERE));
	}

	private void startNginx(Map<String, String> numbers) {
		this.nginx = Containers.nginx(server.network(), numbers);
		this.nginx.start();
		this.alice = server.alice().at(Containers.address(this.nginx));
	}

	@AfterEach
	void stopNginx() {
		this.held.forEach(ChatSession::leave);
		this.alice.close();
		this.nginx.stop();
	}

	@Test
	void servesExactlyTheLimitAndRefusesTheRestAtOnce() throws Exception {
		ask(ASKED);
		assertThat(this.held).hasSize(CAP);
		assertThat(this.refused).hasSize(ASKED - CAP).allSatisfy((response) -> {
			assertThat(response.statusCode()).isEqualTo(503);
			assertThat(response.headers().firstValue("Retry-After")).contains("10");
			assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
		});
		assertHeldAreServed("everybody hears this");
	}

	@Test
	void explainsTheRefusalAsJson() throws Exception {
		ask(CAP);
		assertThat(RawRequest.upgrade().send(this.nginx)).startsWith("HTTP/1.1 503")
			.contains("\"status\":503", "\"code\":\"server-busy\"", "Try again in 10 s")
			.contains(RawRequest.SECURITY_HEADERS);
	}

	@Test
	void keepsServingRestWhenAllConnectionsAreInUse() throws Exception {
		ask(CAP);
		assertThat(this.alice.get("/readyz").statusCode()).isEqualTo(200);
		assertHeldAreServed("REST works beside a full house");
	}

	@Test
	void acceptsANewSessionWhenOneEnds() throws Exception {
		ask(CAP);
		this.held.removeLast().leave();
		await().atMost(LONG).untilAsserted(() -> {
			ask(1);
			assertThat(this.held).hasSize(CAP);
		});
		this.refused.clear();
		ask(1);
		assertThat(this.refused).hasSize(1);
		assertHeldAreServed("the new one hears this too");
	}

	@Test
	void limitsTheUpgradesPerSecond() {
		stopNginx();
		startNginx(Map.of("CHAT_MAX_CONNECTIONS", String.valueOf(CAP), "CHAT_UPGRADES_PER_SECOND", "1",
				"CHAT_EXEMPT_ADDRESSES", Containers.ANYWHERE));
		ask(CAP);
		assertThat(this.held).isNotEmpty();
		assertThat(this.refused).isNotEmpty()
			.allSatisfy((response) -> assertThat(response.statusCode()).isEqualTo(503));
	}

	@Test
	void doesNotCountRequestsWithoutUpgrade() throws Exception {
		stopNginx();
		startNginx(Map.of("CHAT_UPGRADES_PER_SECOND", "1"));
		for (int i = 0; i < 50; i++) {
			assertThat(this.alice.get("/ws").statusCode()).isEqualTo(426);
		}
		ask(1);
		assertThat(this.held).hasSize(1);
	}

	@Test
	void derivesEverythingFromTheNumberOfConnections() throws Exception {
		assertThat(this.nginx.execInContainer("nginx", "-T").getStdout()).contains("worker_connections 1200;")
			.contains("worker_rlimit_nofile 1200;")
			.contains("limit_conn total 100;")
			.contains("limit_conn address 50;")
			.contains("zone=upgrades:64k rate=500r/s;")
			.contains("zone=upgrades_of_address:10m rate=250r/s;")
			.contains("zone=sign_ins_of_address:10m rate=20r/s;");
	}

	/** Opens all sessions at once and waits until each is accepted or refused. */
	private void ask(int sessions) {
		List<CompletableFuture<ChatSession>> asked = Stream.generate(() -> this.alice.join(server.room()))
			.limit(sessions)
			.toList();
		for (CompletableFuture<ChatSession> each : asked) {
			try {
				this.held.add(each.orTimeout(LONG.toSeconds(), TimeUnit.SECONDS).join());
			}
			catch (CompletionException ex) {
				assertThat(ex).hasCauseInstanceOf(WebSocketHandshakeException.class);
				this.refused.add(((WebSocketHandshakeException) ex.getCause()).getResponse());
			}
		}
	}

	private void assertHeldAreServed(String text) throws Exception {
		this.alice.say(server.room(), text);
		await().atMost(LONG).until(() -> this.held.stream().allMatch((session) -> session.heard(text)));
		assertThat(this.held).allSatisfy((session) -> assertThat(session.failures()).isEmpty());
	}

}
