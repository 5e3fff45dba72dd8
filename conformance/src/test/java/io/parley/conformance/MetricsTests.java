package io.parley.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusNamingConvention;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The metrics that operators, our alerts and our board use. */
@UnlimitedServer
class MetricsTests {

	/** The first words of the names of metrics that a process of Parley exposes. */
	private static final Pattern METRIC = Pattern
		.compile("\\b(?:chat|jvm|hikaricp|process|disk|logback|jetty|http)_[a-z_]+");

	private static final Pattern COUNTER = Pattern.compile("(chat_\\w+_total)\\{(\\w+)=~?\"([^\"]+)\"}");

	/** Exist in mode relay and with Firebase only. */
	private static final Set<String> OTHER_SETTINGS = Set.of("chat_relay_late_total",
			"chat_push_devices_doubted_total");

	private final ChatServer server;

	private final MeterRegistry meters;

	MetricsTests(ChatServer server, MeterRegistry meters) {
		this.server = server;
		this.meters = meters;
	}

	@Test
	void measuresHowLongSendersAndReadersWait() {
		String room = this.server.room("anna", "bert");
		long accepted = count("chat.frames.accepted");
		long delivered = count("chat.delivery.lag");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.subscribe("room", "/topic/rooms." + room);
			anna.say(room, "c1", "hello");
			anna.expectEvent("room", (event) -> event.path("text").asString().equals("hello"));
			await().untilAsserted(() -> {
				assertThat(count("chat.frames.accepted")).isGreaterThan(accepted);
				assertThat(count("chat.delivery.lag")).isGreaterThan(delivered);
			});
		}
	}

	@Test
	void countsRefusalsByCode() {
		double frames = value("chat.refusals", "code", "bad-destination");
		double problems = value("chat.refusals", "code", "not-found");
		double refused = value("chat.refusals", "code", "unauthorized");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.expectError("SEND", Map.of("destination", "/app/nowhere"), "");
		}
		this.server.user("anna").get("/api/nowhere").expect(404);
		this.server.anonymous().get("/api/rooms").expect(401);
		assertThat(value("chat.refusals", "code", "bad-destination")).isGreaterThan(frames);
		assertThat(value("chat.refusals", "code", "not-found")).isGreaterThan(problems);
		assertThat(value("chat.refusals", "code", "unauthorized")).isGreaterThan(refused);
	}

	@Test
	void countsResumesAndEndsOfSessions() {
		String room = this.server.room("anna", "bert");
		double resumes = value("chat.resumes", "recovered", "true");
		double closed = closed();
		try (StompConnection anna = this.server.connect("anna")) {
			anna.send("SUBSCRIBE", Map.of("id", "room", "destination", "/topic/rooms." + room, "after", "0"), "");
			await().until(() -> value("chat.resumes", "recovered", "true") > resumes);
		}
		await().until(() -> closed() > closed);
	}

	@ParameterizedTest
	@ValueSource(strings = { "prometheus/parley.rules.yml", "grafana/parley.json" })
	void alertsAndBoardUseMetricsThatExist(String file) throws IOException {
		this.server.user("anna").get("/api/rooms").expect(200);
		Set<String> used = METRIC.matcher(Files.readString(Path.of("../deploy", file)))
			.results()
			.map(MatchResult::group)
			.collect(Collectors.toSet());
		used.removeAll(OTHER_SETTINGS);
		assertThat(used).hasSizeGreaterThan(10);
		Set<String> exposed = this.meters.getMeters().stream().flatMap(MetricsTests::names).collect(Collectors.toSet());
		assertThat(exposed).containsAll(used);
	}

	/** For Prometheus, a counter that appears with a value has not increased. */
	@Test
	void theCountersOfAlertsExistBeforeTheyCount() throws IOException {
		List<MatchResult> counters = COUNTER.matcher(Files.readString(Path.of("../deploy/prometheus/parley.rules.yml")))
			.results()
			.toList();
		assertThat(counters).hasSizeGreaterThan(5);
		for (MatchResult counter : counters) {
			List<String> values = this.meters.getMeters()
				.stream()
				.filter((meter) -> names(meter).anyMatch(counter.group(1)::equals))
				.map((meter) -> meter.getId().getTag(counter.group(2)))
				.toList();
			assertThat(values).as(counter.group()).contains(counter.group(3).split("\\|"));
		}
	}

	@Test
	void theBucketsOfTheAlertsExist() {
		assertThat(buckets("chat.frames.accepted")).contains(250.0);
		assertThat(buckets("chat.delivery.lag")).contains(1_000.0);
	}

	private List<Double> buckets(String timer) {
		return Stream.of(this.meters.get(timer).timer().takeSnapshot().histogramCounts())
			.map((bucket) -> bucket.bucket(TimeUnit.MILLISECONDS))
			.toList();
	}

	/** Returns the names of a meter in Prometheus. */
	private static Stream<String> names(Meter meter) {
		Meter.Id id = meter.getId();
		String name = new PrometheusNamingConvention().name(id.getName(), id.getType(), id.getBaseUnit());
		return switch (id.getType()) {
			case TIMER, DISTRIBUTION_SUMMARY ->
				List.of("_bucket", "_count", "_sum", "_max").stream().map((suffix) -> name + suffix);
			case COUNTER -> Stream.of(name + "_total");
			default -> Stream.of(name);
		};
	}

	private double closed() {
		return this.meters.find("chat.sessions.closed").counters().stream().mapToDouble(Counter::count).sum();
	}

	private long count(String timer) {
		return this.meters.get(timer).timer().count();
	}

	private double value(String counter, String tag, String value) {
		return this.meters.get(counter).tag(tag, value).counter().count();
	}

}
