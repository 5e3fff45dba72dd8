package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

import io.parley.log.FreePorts;
import io.parley.log.SigningKey;
import io.parley.log.rabbitmq.RabbitBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Kills what the packaged server needs, and waits for our alerts in a real Prometheus.
 */
@Tag("exhaustive")
class AlertsIntegrationTests {

	private static final Path RULES = Path.of("../deploy/prometheus").toAbsolutePath().normalize();

	/** Alerts appear within a minute of an idle machine. */
	private static final Duration PATIENCE = Duration.ofMinutes(4);

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	@TempDir
	private Path directory;

	private final StoppableDatabase database = new StoppableDatabase();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.log.backend=rabbitmq",
			"--chat.workers.in-process=true", "--chat.log.rabbitmq.addresses=" + broker.address(),
			"--chat.log.rabbitmq.username=" + RabbitBroker.USER, "--chat.log.rabbitmq.password=" + RabbitBroker.USER,
			"--chat.log.rabbitmq.stream-prefix=test-" + UUID.randomUUID(), "--chat.log.partitions=2",
			"--chat.security.jwt.private-key=file:" + SigningKey.file(), this.database.setting());

	private final ChatApi api = new ChatApi(this.server.url());

	private final int port = FreePorts.next();

	private @Nullable ChildCommand prometheus;

	private String token = "";

	private String room = "";

	@BeforeEach
	void start() throws Exception {
		ChildCommand.assumeInstalled("prometheus", "install it to test the alerts");
		this.database.start(this.directory);
		this.server.start();
		this.token = this.api.login("alice", "demo");
		this.room = this.api.createRoom(this.token, "Room", List.of());
		this.api.post(this.token, this.room, "c1", "before");
		Path configuration = this.directory.resolve("prometheus.yml");
		URI target = this.server.managementUrl();
		Files.writeString(configuration, """
				global: {scrape_interval: 1s, evaluation_interval: 1s}
				rule_files: ['%s/parley.rules.yml']
				scrape_configs:
				  - job_name: parley
				    metrics_path: /actuator/prometheus
				    static_configs: [{targets: ['%s:%d']}]
				""".formatted(RULES, target.getHost(), target.getPort()));
		this.prometheus = ChildCommand.start(this.directory, "prometheus", "--config.file=" + configuration,
				"--storage.tsdb.path=" + this.directory.resolve("data"), "--web.listen-address=127.0.0.1:" + this.port);
		await().atMost(PATIENCE).ignoreExceptions().until(() -> value("up"), (up) -> up == 1);
	}

	@AfterEach
	void stop() throws Exception {
		if (this.prometheus != null) {
			this.prometheus.close();
		}
		this.database.kill();
	}

	@Test
	void eachRuleRaisesItsAlertOnly() throws Exception {
		assertThat(ChildCommand.run(RULES, "promtool", "test", "rules", "parley.rules.test.yml")).contains("SUCCESS");
		assertThat(ChildCommand.run(RULES, "promtool", "check", "config", "prometheus.yml")).contains("SUCCESS");
	}

	@Test
	void tellsOfAServerThatIsGone() throws Exception {
		await().atMost(PATIENCE).ignoreExceptions().until(() -> value("chat_frames_accepted_seconds_count") >= 0);
		assertThat(firing()).isEmpty();
		this.server.kill9();
		awaitAlerts("ParleyProcessDown", "ParleyNoChatServer", "ParleyNoPersistence", "ParleyNoNotification");
		this.server.start();
		await().atMost(PATIENCE).until(() -> firing().isEmpty());
	}

	@Test
	void tellsOfALogThatIsGone() throws Exception {
		broker.stop();
		try {
			await().atMost(PATIENCE).until(() -> {
				postOrFail();
				return firing();
			}, (alerts) -> alerts
				.containsAll(Set.of("ParleyLogUnavailable", "ParleyMessagesRefused", "ParleyServerErrors")));
		}
		finally {
			broker.start();
		}
		await().atMost(PATIENCE).until(() -> !firing().contains("ParleyLogUnavailable"));
	}

	@Test
	void tellsOfADatabaseThatIsGone() throws Exception {
		this.database.kill();
		this.api.post(this.token, this.room, "c2", "not stored");
		awaitAlerts("ParleyStorageLate");
		this.database.start(this.directory);
		await().atMost(PATIENCE).until(() -> !firing().contains("ParleyStorageLate"));
	}

	private void postOrFail() {
		try {
			this.api.post(this.token, this.room, UUID.randomUUID().toString(), "away");
		}
		catch (AssertionError | Exception ex) {
			// The log refuses it: that is counted.
		}
	}

	private void awaitAlerts(String... names) {
		await().atMost(PATIENCE).until(this::firing, (alerts) -> alerts.containsAll(Set.of(names)));
	}

	private Set<String> firing() throws IOException, InterruptedException {
		return JsonMapper.shared()
			.readTree(get("/api/v1/alerts"))
			.path("data")
			.path("alerts")
			.valueStream()
			.filter((alert) -> alert.path("state").asString().equals("firing"))
			.map((alert) -> alert.path("labels").path("alertname").asString())
			.collect(Collectors.toSet());
	}

	private double value(String metric) throws IOException, InterruptedException {
		return JsonMapper.shared()
			.readTree(get("/api/v1/query?query=" + metric))
			.path("data")
			.path("result")
			.path(0)
			.path("value")
			.path(1)
			.asDouble(-1);
	}

	private String get(String path) throws IOException, InterruptedException {
		return HTTP
			.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + path)).build(),
					BodyHandlers.ofString())
			.body();
	}

}
