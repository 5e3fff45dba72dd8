package io.parley.system;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.opentelemetry.proto.trace.v1.Span;
import io.parley.fakefcm.Behaviour;
import io.parley.fakefcm.FakeFcm;
import io.parley.fakefcm.FcmRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.messaging.simp.stomp.StompCommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests the packaged server with the real FCM SDK, against a fake FCM server. */
class PushIntegrationTests {

	private static final int LIVE = 3;

	private static final int OFFLINE = 20;

	/** The maximum number of requests in flight when the process is killed. */
	private static final int CONCURRENCY = 5;

	private static final Path DIRECTORY = Path.of("target/fake-fcm").toAbsolutePath();

	private static final FakeFcm fcm = FakeFcm.start();

	private static final TraceReceiver traces = TraceReceiver.start();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.push.provider=fcm",
			"--chat.push.fcm.endpoint=" + fcm.endpoint(),
			"--chat.push.fcm.credentials=" + fcm.serviceAccountFile(DIRECTORY), "--chat.push.fcm.ssl-bundle=fcm",
			"--spring.ssl.bundle.pem.fcm.truststore.certificate=file:" + fcm.trustCertificateFile(DIRECTORY),
			"--chat.push.fcm.read-timeout=3s", "--chat.push.fcm.concurrency=" + CONCURRENCY, "--chat.push.grace=3s",
			"--chat.push.retry-delay=100ms", "--chat.push.attempts=1000", "--chat.push.takeover=20s",
			"--chat.limits.sends-per-second=0", "--chat.tracing.endpoint=" + traces.endpoint(),
			"--chat.tracing.share=1");

	private static final Map<String, String> tokens = new HashMap<>();

	private final ChatApi api = new ChatApi(server.url());

	private final List<StompClient> clients = new ArrayList<>();

	private final Map<String, Integer> received = new ConcurrentHashMap<>();

	private String room = "";

	@BeforeAll
	static void signUp() {
		ChatApi api = new ChatApi(server.url());
		for (String user : users()) {
			api.register(user);
			tokens.put(user, api.login(user));
		}
	}

	@BeforeEach
	void openRoom() throws Exception {
		for (String user : users()) {
			this.api.registerDevice(tokens.get(user), device(user), "android");
		}
		this.room = this.api.createRoom(tokens.get("user0"), "The room", users());
		for (String user : users().subList(0, LIVE)) {
			follow(user);
		}
	}

	@AfterEach
	void close() {
		this.clients.forEach(StompClient::close);
		behave(Behaviour.Kind.OK);
		fcm.latency(Duration.ZERO);
	}

	@AfterAll
	static void closeReceivers() {
		fcm.close();
		traces.close();
	}

	@Test
	void pushesOnceToEachDeviceOfOfflineUsers() {
		post("c1");
		await().until(() -> deliveries().count() >= OFFLINE);
		awaitNothingPending();
		assertThat(offline()).allSatisfy(
				(user) -> assertThat(requests().filter((request) -> request.target().equals(device(user)))).hasSize(1));
		assertThat(requests().count()).isEqualTo(OFFLINE);
		assertThat(requests()).allSatisfy((request) -> assertThat(request.httpVersion()).isEqualTo("HTTP/2.0"));
	}

	@Test
	void tracesAMessageFromTheAcceptanceToThePushes() {
		String trace = post("c1").replace("-", "");
		List<String> once = List.of("send", "append", "deliver", "store");
		await().atMost(Duration.ofMinutes(1))
			.untilAsserted(() -> assertThat(names(trace)).hasSize(once.size() + OFFLINE).containsAll(once));
		assertThat(names(trace)).filteredOn("push"::equals).hasSize(OFFLINE);
		Span send = traces.spans(trace)
			.stream()
			.filter((span) -> span.getName().equals("send"))
			.findFirst()
			.orElseThrow();
		assertThat(traces.spans(trace)).filteredOn((span) -> !span.equals(send))
			.extracting(Span::getParentSpanId)
			.containsOnly(send.getSpanId());
	}

	private static Stream<String> names(String trace) {
		return traces.spans(trace).stream().map(Span::getName);
	}

	@Test
	@Tag("exhaustive")
	void doesNotBlockChatWhileFcmHangsAndLosesOrRepeatsNothing() {
		behave(Behaviour.Kind.HANG);
		int messages = 100;
		for (int i = 0; i < messages; i++) {
			post("c" + i);
		}
		await().until(() -> requests().count() > 2 * CONCURRENCY);
		await().untilAsserted(() -> assertThat(this.received.values()).hasSize(LIVE).containsOnly(messages));
		assertThat(pending()).as("one task for each user and room").isBetween(1, OFFLINE);
		assertThat(deliveries().count()).isZero();
		behave(Behaviour.Kind.OK);
		// The planner may be behind: then more pushes follow when none is pending.
		await().until(() -> offline().stream().allMatch((user) -> notifiedMessages(user) >= messages));
		awaitNothingPending();
		assertThat(offline()).allSatisfy((user) -> assertThat(notifiedMessages(user)).isEqualTo(messages));
		assertThat(duplicates()).isZero();
	}

	@Test
	void losesNothingWhenKilledInTheMiddle() throws Exception {
		fcm.latency(Duration.ofMillis(200));
		// However late the kill is, some are not delivered before it.
		offline().subList(OFFLINE / 2, OFFLINE).forEach((user) -> fcm.behave(device(user), Behaviour.Kind.HANG));
		post("c1");
		await().until(() -> deliveries().count() >= OFFLINE / 4);
		server.kill9();
		long before = deliveries().count();
		assertThat(before).isLessThan(OFFLINE);
		behave(Behaviour.Kind.OK);
		fcm.latency(Duration.ZERO);
		server.start();
		await().until(() -> offline().stream().allMatch((user) -> notifiedMessages(user) >= 1));
		awaitNothingPending();
		System.out.printf("Killed after %d of %d deliveries: %d repeated%n", before, OFFLINE, duplicates());
		// Requests in flight at the kill may be delivered as well.
		assertThat(duplicates()).isLessThanOrEqualTo(before + CONCURRENCY);
	}

	@Test
	@Tag("exhaustive")
	void deletesUnregisteredDevicesAndLogsTheReason() {
		fcm.behave(device("user10"), Behaviour.Kind.UNREGISTERED);
		fcm.behave(device("user11"), Behaviour.Kind.SENDER_ID_MISMATCH);
		fcm.behave(device("user12"), Behaviour.Kind.INVALID_PAYLOAD);
		post("c1");
		await().until(() -> requests().count() >= OFFLINE);
		awaitNothingPending();
		assertThat(this.api.devices(tokens.get("user10"))).isEmpty();
		assertThat(this.api.devices(tokens.get("user11"))).isEmpty();
		assertThat(this.api.devices(tokens.get("user12"))).hasSize(1);
		assertThat(outcome("user10")).isEqualTo("gone");
		assertThat(outcome("user11")).isEqualTo("gone");
		assertThat(outcome("user12")).isEqualTo("refused");
		assertThat(outcome("user13")).isEqualTo("sent");
	}

	private static List<String> users() {
		return IntStream.range(0, LIVE + OFFLINE).mapToObj((i) -> "user" + i).toList();
	}

	private static List<String> offline() {
		return users().subList(LIVE, LIVE + OFFLINE);
	}

	private static String device(String user) {
		return "device:" + user;
	}

	/**
	 * The behavior set for a device overrides the behavior set for all, and cannot be
	 * removed.
	 */
	private static void behave(Behaviour.Kind kind) {
		users().forEach((user) -> fcm.behave(device(user), kind));
	}

	private String post(String clientId) {
		return this.api.post(tokens.get("user0"), this.room, clientId, "Hello " + clientId);
	}

	private void follow(String user) throws IOException {
		CompletableFuture<StompFrame> live = new CompletableFuture<>();
		StompClient client = StompClient.connect(server.url(), tokens.get(user), (frame) -> {
			if (frame.command() == StompCommand.MESSAGE
					&& frame.json().path("type").asString().equals("message.posted")) {
				this.received.merge(user, 1, Integer::sum);
			}
			else if (frame.command() == StompCommand.RECEIPT) {
				live.complete(frame);
			}
		});
		this.clients.add(client);
		client.subscribe("room", "/topic/rooms." + this.room, "receipt", "live");
		await().until(live::isDone);
	}

	/** Returns the FCM requests of this test, which has its own room. */
	private Stream<FcmRequest> requests() {
		return fcm.requests().stream().filter((request) -> this.room.equals(request.data("room")));
	}

	private Stream<FcmRequest> deliveries() {
		return fcm.deliveries().stream().filter((request) -> this.room.equals(request.data("room")));
	}

	/** Returns the number of repeated deliveries to the same device. */
	private long duplicates() {
		return deliveries().count()
				- deliveries().map((request) -> request.target() + " " + request.data("position")).distinct().count();
	}

	/** Returns the number of messages in the deliveries to a user. */
	private int notifiedMessages(String user) {
		return deliveries().filter((request) -> request.target().equals(device(user)))
			.mapToInt((request) -> Integer.parseInt(request.data("messages")))
			.sum();
	}

	/** Returns the number of offline users with a pending push. */
	private int pending() {
		return (int) offline().stream().filter((user) -> this.api.isPushPending(operator(), user, this.room)).count();
	}

	private void awaitNothingPending() {
		await().until(() -> pending() == 0);
	}

	private String outcome(String user) {
		return this.api.pushOutcome(operator(), user, this.room);
	}

	private String operator() {
		return tokens.computeIfAbsent("alice", (alice) -> this.api.login(alice, "demo"));
	}

}
