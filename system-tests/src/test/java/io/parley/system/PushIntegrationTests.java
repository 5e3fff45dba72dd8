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

import io.parley.fakefcm.Behaviour;
import io.parley.fakefcm.FakeFcm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.messaging.simp.stomp.StompCommand;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The packaged server with the real SDK, against a server that acts as FCM. */
class PushIntegrationTests {

	private static final int LIVE = 3;

	private static final int AWAY = 20;

	/** What one process can have under way when it is killed. */
	private static final int CONCURRENCY = 5;

	@TempDir
	private static Path directory;

	private final FakeFcm fcm = FakeFcm.start();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.push.provider=fcm",
			"--chat.push.fcm.endpoint=" + this.fcm.endpoint(),
			"--chat.push.fcm.credentials=" + this.fcm.serviceAccountFile(directory), "--chat.push.fcm.ssl-bundle=fcm",
			"--spring.ssl.bundle.pem.fcm.truststore.certificate=file:" + this.fcm.trustCertificateFile(directory),
			"--chat.push.fcm.read-timeout=3s", "--chat.push.fcm.concurrency=" + CONCURRENCY, "--chat.push.grace=3s",
			"--chat.push.retry-delay=100ms", "--chat.push.attempts=1000", "--chat.push.takeover=5s",
			"--chat.limits.sends-per-second=0");

	private final ChatApi api = new ChatApi(this.server.url());

	private final Map<String, String> tokens = new HashMap<>();

	private final List<StompClient> clients = new ArrayList<>();

	private final Map<String, Integer> received = new ConcurrentHashMap<>();

	private String room = "";

	@BeforeEach
	void signUp() throws Exception {
		this.server.start();
		for (String user : users()) {
			this.api.register(user);
			this.tokens.put(user, this.api.login(user));
			this.api.registerDevice(this.tokens.get(user), device(user), "android");
		}
		this.room = this.api.createRoom(this.tokens.get("user0"), "The room", users());
		for (String user : users().subList(0, LIVE)) {
			follow(user);
		}
	}

	@AfterEach
	void close() {
		this.clients.forEach(StompClient::close);
		this.fcm.close();
	}

	@Test
	void asksEachDeviceOfThoseWhoAreAwayOnce() {
		post("c1");
		await().until(() -> this.fcm.counts().delivered() >= AWAY);
		awaitNothingPending();
		assertThat(away()).allSatisfy((user) -> assertThat(this.fcm.requests(device(user))).isEqualTo(1));
		assertThat(this.fcm.counts().requests()).isEqualTo(AWAY);
		assertThat(this.fcm.requests()).allSatisfy((request) -> {
			assertThat(request.httpVersion()).isEqualTo("HTTP/2.0");
			assertThat(request.data("room")).isEqualTo(this.room);
		});
	}

	@Test
	void holdsUpNobodyWhileFcmHangsAndLosesAndDoublesNothing() {
		this.fcm.behave(Behaviour.Kind.HANG);
		int messages = 100;
		for (int i = 0; i < messages; i++) {
			post("c" + i);
		}
		await().until(() -> this.fcm.counts().requests() > 2 * CONCURRENCY);
		await().untilAsserted(() -> assertThat(this.received.values()).hasSize(LIVE).containsOnly(messages));
		assertThat(pending()).as("one task for each user and room").isBetween(1, AWAY);
		assertThat(this.fcm.counts().delivered()).isZero();
		this.fcm.behave(Behaviour.Kind.OK);
		awaitNothingPending();
		assertThat(away()).allSatisfy((user) -> assertThat(told(user)).isEqualTo(messages));
		assertThat(this.fcm.counts().duplicates()).isZero();
	}

	@Test
	void losesNothingWhenKilledInTheMiddle() throws Exception {
		this.fcm.latency(Duration.ofMillis(200));
		post("c1");
		await().until(() -> this.fcm.counts().delivered() >= AWAY / 4);
		this.server.kill9();
		long before = this.fcm.counts().delivered();
		assertThat(before).isLessThan(AWAY);
		this.fcm.latency(Duration.ZERO);
		this.server.start();
		await().until(() -> away().stream().allMatch((user) -> told(user) >= 1));
		awaitNothingPending();
		System.out.printf("Killed after %d of %d deliveries: %d came twice%n", before, AWAY,
				this.fcm.counts().duplicates());
		assertThat(this.fcm.counts().duplicates()).isLessThanOrEqualTo(before);
	}

	@Test
	void forgetsDevicesThatAreGoneAndSaysWhy() {
		this.fcm.behave(device("user10"), Behaviour.Kind.UNREGISTERED);
		this.fcm.behave(device("user11"), Behaviour.Kind.SENDER_ID_MISMATCH);
		this.fcm.behave(device("user12"), Behaviour.Kind.INVALID_PAYLOAD);
		post("c1");
		await().until(() -> this.fcm.counts().requests() >= AWAY);
		awaitNothingPending();
		assertThat(this.api.devices(this.tokens.get("user10"))).isEmpty();
		assertThat(this.api.devices(this.tokens.get("user11"))).isEmpty();
		assertThat(this.api.devices(this.tokens.get("user12"))).hasSize(1);
		assertThat(outcome("user10")).isEqualTo("gone");
		assertThat(outcome("user11")).isEqualTo("gone");
		assertThat(outcome("user12")).isEqualTo("refused");
		assertThat(outcome("user13")).isEqualTo("sent");
	}

	private static List<String> users() {
		return IntStream.range(0, LIVE + AWAY).mapToObj((i) -> "user" + i).toList();
	}

	private static List<String> away() {
		return users().subList(LIVE, LIVE + AWAY);
	}

	private static String device(String user) {
		return "device:" + user;
	}

	private void post(String clientId) {
		this.api.post(this.tokens.get("user0"), this.room, clientId, "Hello " + clientId);
	}

	private void follow(String user) throws IOException {
		CompletableFuture<StompFrame> live = new CompletableFuture<>();
		StompClient client = StompClient.connect(this.server.url(), this.tokens.get(user), (frame) -> {
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

	/** How many messages the deliveries to a user told of. */
	private int told(String user) {
		return this.fcm.deliveries()
			.stream()
			.filter((request) -> request.target().equals(device(user)))
			.mapToInt((request) -> Integer.parseInt(request.data("messages")))
			.sum();
	}

	/** Those who are away and are still to be told something. */
	private int pending() {
		return (int) away().stream().filter((user) -> this.api.isPushPending(operator(), user, this.room)).count();
	}

	private void awaitNothingPending() {
		await().until(() -> pending() == 0);
	}

	private String outcome(String user) {
		return this.api.pushOutcome(operator(), user, this.room);
	}

	private String operator() {
		return this.tokens.computeIfAbsent("alice", (alice) -> this.api.login(alice, "demo"));
	}

}
