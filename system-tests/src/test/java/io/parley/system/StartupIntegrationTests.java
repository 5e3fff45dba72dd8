package io.parley.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the start and shutdown of the packaged server. */
@Tag("exhaustive")
class StartupIntegrationTests {

	/** The grace period of the server, spring.lifecycle.timeout-per-shutdown-phase. */
	private static final Duration GRACE = Duration.ofSeconds(20);

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess();

	@RegisterExtension
	final ChatServerProcess second = new ChatServerProcess(this.server.directory());

	private final ChatApi api = new ChatApi(this.server.url());

	@Test
	void reportsThatThePortIsInUse() throws Exception {
		try (ServerSocket taken = new ServerSocket(this.server.port(), 1, InetAddress.getByName("0.0.0.0"))) {
			assertEndsWithError(this.server);
			assertThat(this.server.output()).contains("Port " + taken.getLocalPort() + " was already in use")
				.doesNotContain("\tat ");
		}
	}

	@Test
	void reportsThatAnotherServerUsesTheData() throws Exception {
		this.server.start();
		assertEndsWithError(this.second);
		assertThat(this.second.output()).containsOnlyOnce("APPLICATION FAILED TO START");
		assertThat(this.second.output().split("APPLICATION FAILED TO START")[1])
			.contains("is in use by another process: stop that one, or set another")
			.doesNotContain("\tat ", "Exception");
		assertThat(this.server.process().isAlive()).as("the first server is still alive").isTrue();
		assertThat(this.api.login("alice", "demo")).isNotEmpty();
	}

	/** Tests the same jar that users start. */
	@Test
	void exitsOnSigtermAndClosesSessionsCleanly() throws Exception {
		this.server.asUsersStartIt().start();
		StompClient client = StompClient.connect(this.server.url(), this.api.login("alice", "demo"), (frame) -> {
		});
		client.subscribe("mine", "/user/queue/events");
		int printed = this.server.output().length();
		long start = System.nanoTime();
		this.server.stop();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(GRACE);
		assertThat(client.closed().get(10, TimeUnit.SECONDS)).as("going away").isEqualTo(1001);
		assertThat(this.server.output()
			.substring(printed)
			.lines()
			.filter((line) -> line.contains(" ERROR ") || line.contains(" WARN ") || line.contains("\tat "))).isEmpty();
	}

	@Test
	void keepsUsersKeysAndHistoryAcrossRestarts() throws Exception {
		this.server.start();
		this.api.register("dora");
		String token = this.api.login("dora");
		String room = this.api.createRoom(token, "Kept", List.of("alice"));
		this.api.post(token, room, "c1", "still here?");
		List<JsonNode> before = this.api.history(token, room);
		this.server.stop();
		this.server.start();
		assertThat(this.api.history(token, room)).as("read with the token from before").isEqualTo(before).hasSize(2);
		assertThat(this.api.login("dora")).isNotEmpty();
		assertThat(this.api.rooms(this.api.login("alice", "demo"))).as("demo rooms, made once")
			.extracting((one) -> one.path("name").asString())
			.containsExactlyInAnyOrder("Lobby", "", "Kept");
	}

	@Test
	void reportsThatTheDemoUsersAreForThisMachineOnly() throws Exception {
		ChatServerProcess open = new ChatServerProcess(this.server.directory(), "--server.address=0.0.0.0");
		assertEndsWithError(open);
		assertThat(open.output())
			.contains("APPLICATION FAILED TO START", "the address 0.0.0.0 can be reached from other machines")
			.doesNotContain("\tat ");
	}

	@Test
	void reportsThatTheEmbeddedLogNeedsItsWorkers() throws Exception {
		ChatServerProcess wrong = new ChatServerProcess(this.server.directory(), "--chat.workers.in-process=false");
		assertEndsWithError(wrong);
		assertThat(wrong.output()).contains("APPLICATION FAILED TO START", "cannot be combined with the embedded log")
			.doesNotContain("\tat ");
	}

	private static void assertEndsWithError(ChatServerProcess server) throws IOException, InterruptedException {
		Process process = server.launch();
		assertThat(process.waitFor(3, TimeUnit.MINUTES)).as("exits by itself").isTrue();
		assertThat(process.exitValue()).as("exit code").isNotZero();
	}

}
