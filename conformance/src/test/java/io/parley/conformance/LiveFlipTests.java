package io.parley.conformance;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.Backends;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Restarts two servers one after the other in another mode and back, while users send
 * messages. For some time the servers run in different modes.
 */
@Tag("exhaustive")
@Relay
@ExtendWith(BackendCondition.class)
class LiveFlipTests {

	private TwoServers servers;

	private final List<Follower> followers = List.of(new Follower(0), new Follower(1));

	private ChatApi anna;

	private ChatApi bert;

	private String room = "";

	private int sent;

	@BeforeAll
	static void choose() {
		assumeTrue(Backends.isRelay(), "From mode simple or bus there is no other one to flip to without a broker");
	}

	@BeforeEach
	void start() {
		this.servers = new TwoServers();
		this.anna = this.servers.one().user("anna");
		this.bert = this.servers.one().user("bert");
		this.room = this.anna.openGroup("Room", "bert");
	}

	@AfterEach
	void stop() {
		this.followers.forEach(Follower::leave);
		if (this.servers != null) {
			this.servers.close();
		}
	}

	@Test
	void losesNoMessage() {
		this.followers.forEach(Follower::follow);
		say(0, 10);
		restartWhileSending(0, "bus");
		restartWhileSending(1, "bus");
		restartWhileSending(0, "relay");
		say(0, 10);
		say(1, 10);
		List<Long> history = history();
		assertThat(history).hasSize(this.sent);
		this.followers.forEach((follower) -> assertThat(follower.positions(this.sent)).isEqualTo(history));
	}

	private void restartWhileSending(int restarted, String mode) {
		// The common pool has one thread on two processors, and delays of the servers
		// need it.
		CompletableFuture<Void> restart = CompletableFuture.runAsync(() -> this.servers.restart(restarted, mode),
				Thread.ofPlatform()::start);
		await().pollInterval(Duration.ofMillis(200)).until(() -> {
			say(1 - restarted, 1);
			return restart.isDone();
		});
		restart.join();
		this.followers.get(restarted).follow();
		say(restarted, 5);
		say(1 - restarted, 5);
	}

	private void say(int server, int messages) {
		try (StompConnection anna = connect(server, this.anna)) {
			for (int i = 0; i < messages; i++) {
				anna.expectReceipt(anna.say(this.room, "c" + this.sent++, "text"));
			}
		}
	}

	private StompConnection connect(int server, ChatApi user) {
		return StompConnection.open(this.servers.server(server)).connect(user.token());
	}

	/** Returns the positions of all messages in the history. */
	private List<Long> history() {
		ChatApi reader = new ChatApi(this.servers.one(), "anna", this.anna.token());
		List<Long> positions = new ArrayList<>();
		List<Long> page;
		long after = 0;
		do {
			List<JsonNode> events = reader.history(this.room, "?limit=200&after=" + after);
			after = events.isEmpty() ? after : events.getLast().path("position").asLong();
			page = Chain.positions(events);
			positions.addAll(Chain.positions(messages(events)));
		}
		while (!page.isEmpty());
		return positions;
	}

	private static List<JsonNode> messages(List<JsonNode> events) {
		return events.stream().filter((event) -> event.path("type").asString().equals("message.posted")).toList();
	}

	/** Follows the room on one server and reconnects to the same server. */
	private final class Follower {

		private final int server;

		private final List<JsonNode> before = new ArrayList<>();

		private StompConnection connection;

		private Follower(int server) {
			this.server = server;
		}

		/** Resumes after the last received event. */
		private void follow() {
			StompConnection next = connect(this.server, LiveFlipTests.this.bert);
			if (this.connection == null) {
				next.follow("s", LiveFlipTests.this.room);
			}
			else {
				this.connection.expectClosed();
				this.before.addAll(messages(this.connection.events("s")));
				long last = this.before.isEmpty() ? 0 : this.before.getLast().path("position").asLong();
				assertThat(next.follow("s", LiveFlipTests.this.room, last).path("recovered").asBoolean()).isTrue();
			}
			this.connection = next;
		}

		private List<Long> positions(int messages) {
			this.connection.expectMessage("s", "c" + (messages - 1));
			List<JsonNode> all = new ArrayList<>(this.before);
			all.addAll(messages(this.connection.events("s")));
			return Chain.positions(all);
		}

		private void leave() {
			if (this.connection != null) {
				this.connection.close();
			}
		}

	}

}
