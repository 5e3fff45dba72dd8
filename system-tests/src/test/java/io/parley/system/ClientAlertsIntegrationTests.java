package io.parley.system;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.messaging.simp.stomp.StompCommand;

import static org.assertj.core.api.Assertions.assertThat;

/** What clients do to the packaged server, and our alerts in a real Prometheus. */
@Tag("exhaustive")
class ClientAlertsIntegrationTests {

	private static final int SESSIONS = 20;

	private static final int MORE_THAN_TEN = 15;

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.sessions=" + SESSIONS,
			"--chat.history.replay=10", "--chat.limits.sends-per-second=0", "--chat.security.refresh-grace=0",
			"--chat.session.stall-timeout=3s", "--chat.session.outbox-bytes=64KB");

	@TempDir
	private Path directory;

	private final ChatApi api = new ChatApi(this.server.url());

	private @Nullable AlertMonitor monitor;

	@BeforeEach
	void start() throws Exception {
		AlertMonitor.assumeInstalled();
		this.server.start();
		this.monitor = new AlertMonitor(this.directory, this.server.managementUrl());
	}

	@AfterEach
	void stop() throws Exception {
		if (this.monitor != null) {
			this.monitor.close();
		}
	}

	@Test
	void tellsOfSpentRefreshTokens() {
		for (int i = 0; i < MORE_THAN_TEN; i++) {
			String spent = this.api.refreshToken("alice", "demo");
			assertThat(this.api.refresh(spent)).isEqualTo(200);
			assertThat(this.api.refresh(spent)).isEqualTo(401);
		}
		monitor().awaitFiring("ParleyTokensReused");
	}

	@Test
	void tellsOfClientsThatAreTooFarBehind() throws Exception {
		String token = this.api.login("alice", "demo");
		String room = this.api.createRoom(token, "Room", List.of());
		for (int i = 0; i < MORE_THAN_TEN; i++) {
			this.api.post(token, room, "c" + i, "text");
		}
		Queue<String> received = new ConcurrentLinkedQueue<>();
		try (StompClient client = StompClient.connect(this.server.url(), token,
				(frame) -> received.add(frame.json().toString()))) {
			for (int i = 0; i < MORE_THAN_TEN; i++) {
				int subscribed = i + 1;
				client.subscribe("s" + i, "/topic/rooms." + room, "after", "1");
				AlertMonitor.await().until(() -> received.size() == subscribed);
				client.send(StompCommand.UNSUBSCRIBE, "", "id", "s" + i);
			}
			assertThat(received).allSatisfy((event) -> assertThat(event).contains("\"recovered\":false"));
			monitor().awaitFiring("ParleyClientsLosePlace");
		}
	}

	@Test
	void tellsOfGuessedPasswords() {
		monitor().awaitFiring(() -> IntStream.range(0, 500).map((i) -> this.api.tryLogin("alice", "guess" + i)).sum(),
				"ParleySignInsAttacked");
	}

	@Test
	void tellsOfClientsThatReadNothing() throws Exception {
		String token = this.api.login("alice", "demo");
		String room = this.api.createRoom(token, "Room", List.of());
		CountDownLatch end = new CountDownLatch(1);
		List<StompClient> clients = new ArrayList<>();
		try (StompClient sender = StompClient.connect(this.server.url(), token, (frame) -> {
		})) {
			for (int i = 0; i < MORE_THAN_TEN; i++) {
				// The first frame of the room blocks the client, which then reads no
				// further.
				clients.add(StompClient.connect(this.server.url(), token, (frame) -> await(end)));
				clients.getLast().subscribe("s", "/topic/rooms." + room);
			}
			monitor().awaitFiring(() -> {
				for (int i = 0; i < 50; i++) {
					sender.say(room, "x".repeat(15_000));
				}
				return sender;
			}, "ParleyClientsFallBehind");
		}
		finally {
			end.countDown();
			clients.forEach(StompClient::close);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void tellsOfAFullServer() throws Exception {
		String token = this.api.login("alice", "demo");
		List<StompClient> clients = new ArrayList<>();
		for (int i = 0; i < SESSIONS; i++) {
			clients.add(StompClient.connect(this.server.url(), token, (frame) -> {
			}));
		}
		monitor().awaitFiring("ParleyServerFull");
		clients.forEach(StompClient::close);
		monitor().awaitNothingFiring();
	}

	@Test
	void tellsOfAServerThatMayOpenFewMoreFiles() throws Exception {
		ChildCommand.assumeInstalled("prlimit", "it limits the open files of a process");
		String process = String.valueOf(this.server.process().pid());
		long open = ChildCommand.run(this.directory, "ls", "/proc/" + process + "/fd").lines().count();
		ChildCommand.run(this.directory, "prlimit", "--pid", process, "--nofile=" + (open + 5) + ":");
		monitor().awaitFiring("ParleyFilesShort");
	}

	private AlertMonitor monitor() {
		return Objects.requireNonNull(this.monitor);
	}

}
