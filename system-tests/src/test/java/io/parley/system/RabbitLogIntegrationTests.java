package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.parley.log.SigningKey;
import io.parley.log.health.ExitWhenBroken;
import io.parley.log.rabbitmq.RabbitBroker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests the packaged server with its log in a real RabbitMQ that stops or loses the log.
 */
@Tag("exhaustive")
class RabbitLogIntegrationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final int PARTITIONS = 2;

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	private final String prefix = "test-" + UUID.randomUUID();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.log.backend=rabbitmq",
			"--chat.workers.in-process=true", "--chat.log.readiness-grace=1s",
			"--chat.log.rabbitmq.addresses=" + broker.address(), "--chat.log.rabbitmq.username=" + RabbitBroker.USER,
			"--chat.log.rabbitmq.password=" + RabbitBroker.USER, "--chat.log.rabbitmq.stream-prefix=" + this.prefix,
			"--chat.log.partitions=" + PARTITIONS, "--chat.security.jwt.private-key=file:" + SigningKey.file());

	private final ChatApi api = new ChatApi(this.server.url());

	private final List<String> live = Collections.synchronizedList(new ArrayList<>());

	private String token = "";

	private String room = "";

	@BeforeEach
	void start() throws IOException {
		this.server.start();
		this.token = this.api.login("alice", "demo");
		this.room = this.api.createRoom(this.token, "Room", List.of());
		this.api.post(this.token, this.room, "c1", "before");
	}

	@Test
	void isNotReadyButShowsTheHistoryWhileTheBrokerIsAwayAndGoesOnWhenItIsBack() throws Exception {
		try (StompClient client = StompClient.connect(this.server.url(), this.token,
				(frame) -> this.live.add(frame.toString()))) {
			client.subscribe("r", "/topic/rooms." + this.room);
			await().atMost(PATIENCE).until(() -> this.live.size() == 1);
			broker.stop();
			try {
				await().atMost(PATIENCE).until(() -> status("/readyz") == 503);
				assertThat(status("/livez")).isEqualTo(200);
				assertThat(this.server.output())
					.contains("Not ready: RabbitMQ at " + broker.address() + " is unavailable");
				assertThatExceptionOfType(AssertionError.class)
					.isThrownBy(() -> this.api.post(this.token, this.room, "c2", "away"))
					.withMessageContaining("log-unavailable");
				assertThat(texts()).containsExactly("before");
				assertThat(get(this.server.managementUrl().resolve("/actuator/prometheus")).body()).contains(
						"chat_log_appends_total{outcome=\"refused\"} 1.0", "chat_log_trouble 1.0",
						"chat_reader_lag{reader=\"tail\"} 0.0", "chat_log_removed_unread_total 0.0");
			}
			finally {
				broker.start();
			}
			await().atMost(PATIENCE).until(() -> status("/readyz") == 200);
			this.api.post(this.token, this.room, "c2", "after");
			await().atMost(PATIENCE).until(() -> this.live.size() == 2);
			assertThat(client.isOpen()).isTrue();
			assertThat(texts()).containsExactly("before", "after");
		}
	}

	@Test
	@Tag("exhaustive")
	void endsInOrderWhenItsLogIsDeletedAndGoesOnWithANewOneWhenItIsStartedAgain() throws Exception {
		List<JsonNode> before = this.api.history(this.token, this.room);
		StompClient client = StompClient.connect(this.server.url(), this.token, (frame) -> {
		});
		for (int partition = 0; partition < PARTITIONS; partition++) {
			broker.deleteStream(this.prefix, partition);
		}
		assertThat(this.server.process().waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.server.process().exitValue()).isEqualTo(ExitWhenBroken.EXIT_CODE);
		assertThat(client.closed().get(10, TimeUnit.SECONDS)).as("going away").isEqualTo(1001);
		this.server.start();
		this.api.post(this.token, this.room, "c2", "after");
		List<JsonNode> after = this.api.history(this.token, this.room);
		assertThat(after).startsWith(before.toArray(JsonNode[]::new)).hasSize(before.size() + 1);
		assertThat(after).extracting((event) -> event.path("position").longValue()).isSorted();
		assertThat(after.getLast().path("position").longValue()).as("in the next epoch")
			.isGreaterThanOrEqualTo(1L << 41);
	}

	/** Servers that share a log must also share this key. */
	private List<String> texts() {
		return this.api.history(this.token, this.room)
			.stream()
			.filter((event) -> event.has("text"))
			.map((event) -> event.path("text").stringValue())
			.toList();
	}

	private int status(String path) throws IOException, InterruptedException {
		return get(this.server.url().resolve(path)).statusCode();
	}

	private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
		return HTTP.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), BodyHandlers.ofString());
	}

}
