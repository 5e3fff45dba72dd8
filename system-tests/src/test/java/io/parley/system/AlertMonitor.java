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
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.parley.log.FreePorts;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real Prometheus with our rules, which scrapes one server every second. It has a copy
 * of the rules in which no alert waits longer than 5 s until it fires. A test of a cause
 * need not wait for minutes then: promtool tests the real times, with the series of
 * {@code parley.rules.test.yml}. Ranges of the expressions are as they are.
 */
final class AlertMonitor implements AutoCloseable {

	static final Path RULES = Path.of("../deploy/prometheus").toAbsolutePath().normalize();

	private static final Path RULES_FILE = RULES.resolve("parley.rules.yml");

	/** All waits of the real rules are longer. */
	private static final String WAIT = "5s";

	private static final Pattern ALERT = Pattern.compile("(?m)^ +- alert: (\\w+)$");

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private final int port = FreePorts.next();

	private final ChildCommand prometheus;

	/**
	 * Starts it, and waits until it has scraped the server and nothing fires.
	 * @param directory for its files
	 * @param target the address of the server's metrics
	 */
	AlertMonitor(Path directory, URI target) throws IOException {
		Path rules = Files.writeString(directory.resolve("quick.rules.yml"), withShortWaits(rules()));
		Path configuration = directory.resolve("prometheus.yml");
		Files.writeString(configuration, """
				global: {scrape_interval: 1s, evaluation_interval: 1s}
				rule_files: ['%s']
				scrape_configs:
				  - job_name: parley
				    metrics_path: /actuator/prometheus
				    static_configs: [{targets: ['%s:%d']}]
				""".formatted(rules, target.getHost(), target.getPort()));
		this.prometheus = ChildCommand.start(directory, "prometheus", "--config.file=" + configuration,
				"--storage.tsdb.path=" + directory.resolve("data"), "--web.listen-address=127.0.0.1:" + this.port);
		try {
			await().ignoreExceptions().until(() -> value("chat_frames_accepted_seconds_count") >= 0);
			awaitNothingFiring();
		}
		catch (RuntimeException ex) {
			close();
			throw ex;
		}
	}

	/** Returns the text of the real rules. */
	static String rules() throws IOException {
		return Files.readString(RULES_FILE);
	}

	/** Returns rules in which each alert that waits fires after 5 s. */
	static String withShortWaits(String rules) {
		return rules.replaceAll("(?m)^(?<key> +for: ).+$", "${key}" + WAIT);
	}

	/** Returns the names of all alerts. */
	static List<String> alerts() throws IOException {
		return ALERT.matcher(rules()).results().map((alert) -> alert.group(1)).toList();
	}

	/** Skips the test if Prometheus is not installed. */
	static void assumeInstalled() throws InterruptedException {
		ChildCommand.assumeInstalled("prometheus", "install it to test the alerts");
	}

	/** Alerts appear within a minute or two of an idle machine. */
	static ConditionFactory await() {
		return Awaitility.await().atMost(Duration.ofMinutes(4));
	}

	void awaitFiring(String... alerts) {
		awaitFiring(() -> alerts, alerts);
	}

	Set<String> firing() throws IOException, InterruptedException {
		return JsonMapper.shared()
			.readTree(get("/api/v1/alerts"))
			.path("data")
			.path("alerts")
			.valueStream()
			.filter((alert) -> alert.path("state").asString().equals("firing"))
			.map((alert) -> alert.path("labels").path("alertname").asString())
			.collect(Collectors.toSet());
	}

	/** Does something again and again until these alerts fire. */
	void awaitFiring(Callable<?> cause, String... alerts) {
		await().until(() -> {
			cause.call();
			return firing();
		}, (firing) -> firing.containsAll(Set.of(alerts)));
	}

	void awaitNothingFiring() {
		await().until(() -> firing().isEmpty());
	}

	/** Returns the first value of an expression, or -1 if it has none. */
	double value(String expression) throws IOException, InterruptedException {
		return JsonMapper.shared()
			.readTree(get("/api/v1/query?query=" + expression))
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

	@Override
	public void close() throws IOException {
		this.prometheus.close();
	}

}
