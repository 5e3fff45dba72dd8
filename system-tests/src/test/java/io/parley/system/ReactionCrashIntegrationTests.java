package io.parley.system;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Kills the server while users react to one message: nothing acknowledged is lost. */
@Tag("exhaustive")
class ReactionCrashIntegrationTests {

	private static final List<String> USERS = IntStream.range(0, 9).mapToObj((i) -> "user" + i).toList();

	/**
	 * The reactions that each user gives, one after the other, until the server is
	 * killed.
	 */
	private static final List<String> KEYS = List.of(":a:", ":b:", ":c:", ":d:", ":e:", ":f:", ":g:", ":h:", ":i:");

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.reactions-per-second=0");

	private final ChatApi api = new ChatApi(this.server.url());

	/** The keys that were acknowledged, by user. */
	private final Map<String, Set<String>> acknowledged = new ConcurrentHashMap<>();

	@Test
	void losesNothingAcknowledgedWhenKilled() throws Exception {
		this.server.start();
		USERS.forEach(this.api::register);
		String token = this.api.login(USERS.getFirst());
		String room = this.api.createRoom(token, "Room", USERS);
		this.api.post(token, room, "c1", "text");
		long target = this.api.history(token, room).getLast().path("position").asLong();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (String user : USERS) {
				String own = this.api.login(user);
				threads.submit(() -> KEYS.forEach((key) -> {
					this.api.react(own, room, target, key);
					this.acknowledged.computeIfAbsent(user, (name) -> ConcurrentHashMap.newKeySet()).add(key);
				}));
			}
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> this.acknowledged.values().stream().mapToInt(Set::size).sum() > 3 * USERS.size());
			this.server.kill9();
		}
		this.server.start();
		JsonNode reactions = this.api.view(this.api.login(USERS.getFirst()), room).getLast().path("reactions");
		this.acknowledged.forEach((user, keys) -> keys.forEach(
				(key) -> assertThat(reactions.path(key).path("users").valueStream().map(JsonNode::asString).toList())
					.as(key)
					.contains(user)));
		reactions
			.forEach((reaction) -> assertThat(reaction.path("n").asInt()).isEqualTo(reaction.path("users").size()));
	}

}
