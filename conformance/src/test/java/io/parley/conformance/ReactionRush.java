package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Many users who react to one message and take that back, again and again. */
final class ReactionRush {

	private static final String THUMB = "\ud83d\udc4d";

	private static final int ROUNDS = 5;

	private final String room;

	private final List<String> users;

	/** Registers the users and adds them to the room of Anna. */
	ReactionRush(ChatServer server, String room, int users) {
		this.room = room;
		this.users = IntStream.range(0, users).mapToObj((i) -> "rush" + i).toList();
		this.users.parallelStream().forEach((user) -> {
			server.user(user);
			server.user("anna").join(room, user).expect(201);
		});
	}

	/**
	 * Each user waits for each receipt, which comes with the next event.
	 * @return the users whose reaction is left
	 */
	Set<String> run(List<ChatServer> servers, long target) throws Exception {
		Set<String> left = new HashSet<>();
		List<Future<?>> all = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < this.users.size(); i++) {
				String user = this.users.get(i);
				ChatServer server = servers.get(i % servers.size());
				int rounds = ROUNDS - i % 2;
				if (rounds % 2 == 1) {
					left.add(user);
				}
				all.add(threads.submit(() -> react(server, user, target, rounds)));
			}
			for (Future<?> one : all) {
				one.get();
			}
		}
		return left;
	}

	private void react(ChatServer server, String user, long target, int rounds) {
		try (StompConnection connection = server.connect(user)) {
			for (int round = 0; round < rounds; round++) {
				connection.expectReceipt(connection.react(this.room, target, THUMB, round % 2 == 0));
			}
		}
	}

	/** Asserts that each server has written at most one event a second. */
	static void assertApart(List<JsonNode> events, int servers) {
		long[] sentAt = events.stream()
			.filter((event) -> event.path("type").asString().equals("reaction.changed"))
			.mapToLong((event) -> Instant.parse(event.path("sentAt").asString()).toEpochMilli())
			.toArray();
		assertThat(sentAt).hasSizeGreaterThan(2);
		for (int i = servers; i < sentAt.length; i++) {
			// The clock of sentAt has another resolution than that of the pause.
			assertThat(sentAt[i] - sentAt[i - servers]).as(Arrays.toString(sentAt))
				.isGreaterThanOrEqualTo(Duration.ofSeconds(1).toMillis() - 5);
		}
	}

}
