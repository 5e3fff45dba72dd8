package io.parley.conformance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Reactions that cross on two servers end in the right counts for everybody. */
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersReactionTests {

	private static final String THUMB = "\ud83d\udc4d";

	private static final int MESSAGES = 30;

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	/** Both servers are the first to react, so each counts one. */
	@Test
	void countsThatCrossedAreCorrected() throws Exception {
		TwoServers both = servers.get();
		String room = both.one().room("anna", "bert");
		List<Long> targets = new ArrayList<>();
		for (int i = 0; i < MESSAGES; i++) {
			targets.add(both.one().user("anna").say(room, "c" + i, "text"));
		}
		await().until(
				() -> both.two().user("bert").history(room, "?limit=1").getLast().path("position").asLong() == targets
					.getLast());
		CyclicBarrier together = new CyclicBarrier(2);
		try (StompConnection one = both.one().connect("anna");
				StompConnection two = both.two().connect("bert");
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			one.follow("s", room);
			two.follow("s", room);
			List<Future<?>> users = List.of(threads.submit(() -> reactToAll(one, room, targets, together)),
					threads.submit(() -> reactToAll(two, room, targets, together)));
			for (Future<?> user : users) {
				user.get();
			}
			for (StompConnection connection : List.of(one, two)) {
				for (long target : targets) {
					await().until(() -> last(connection, target).at("/counts/" + THUMB).asInt(0) == 2);
				}
			}
			for (ChatServer server : List.of(both.one(), both.two())) {
				for (JsonNode view : server.user("bert").view(room, "&limit=" + MESSAGES)) {
					assertThat(view.path("reactions").toString())
						.isEqualTo("{\"" + THUMB + "\":{\"n\":2,\"mine\":true,\"users\":[\"anna\",\"bert\"]}}");
				}
			}
			Chain.assertUnbroken(one.events("s").stream().skip(1).toList(), targets.getLast());
			assertThat(last(one, targets.getLast())).isEqualTo(last(two, targets.getLast()));
		}
	}

	private static void reactToAll(StompConnection connection, String room, List<Long> targets,
			CyclicBarrier together) {
		for (long target : targets) {
			try {
				together.await();
			}
			catch (Exception ex) {
				throw new AssertionError(ex);
			}
			connection.expectReceipt(connection.react(room, target, THUMB, true));
		}
	}

	private static JsonNode last(StompConnection connection, long target) {
		return connection.events("s")
			.stream()
			.filter((event) -> event.path("target").asLong() == target)
			.reduce((before, after) -> after)
			.orElseThrow();
	}

	@Test
	void aRushIsOneEventASecondAndServer() throws Exception {
		TwoServers both = servers.get();
		String room = both.one().room("anna");
		ReactionRush rush = new ReactionRush(both.one(), room, Boolean.getBoolean("parley.test.full-size") ? 100 : 30);
		long target = both.one().user("anna").say(room, "c1", "text");
		await().until(
				() -> both.two().user("anna").history(room, "?limit=1").getLast().path("position").asLong() == target);
		try (StompConnection one = both.one().connect("anna"); StompConnection two = both.two().connect("anna")) {
			one.follow("s", room);
			two.follow("s", room);
			Set<String> left = rush.run(List.of(both.one(), both.two()), target);
			for (StompConnection connection : List.of(one, two)) {
				await().until(() -> last(connection, target).at("/counts/" + THUMB).asInt(0) == left.size());
			}
			for (ChatServer server : List.of(both.one(), both.two())) {
				JsonNode view = server.user("anna").view(room, "").getLast().at("/reactions/" + THUMB);
				assertThat(view.path("n").asInt(0)).isEqualTo(left.size());
			}
			ReactionRush.assertApart(one.events("s"), 2);
			Set<Long> seen = new HashSet<>();
			two.events("s").forEach((event) -> seen.add(event.path("position").asLong()));
			assertThat(one.events("s")).allMatch((event) -> seen.contains(event.path("position").asLong()));
		}
	}

}
