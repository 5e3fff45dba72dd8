package io.parley.system;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Kills the server while it sends scheduled messages: each is there once, in order. */
@Tag("exhaustive")
class ScheduledCrashIntegrationTests {

	/**
	 * Longer than a request takes; the last messages wait this long when the server is
	 * killed.
	 */
	private static final Duration DELAY = Duration.ofSeconds(5);

	private static final Duration PATIENCE = Duration.ofMinutes(3);

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0",
			"--chat.limits.scheduled-per-user=0", "--chat.scheduled.min-delay=1ms");

	private final ChatApi api = new ChatApi(this.server.url());

	@Test
	void sendsEachOnceWhenKilledManyTimes() throws Exception {
		sendsEachOnce(5, 200, 5);
	}

	private void sendsEachOnce(int users, int each, int kills) throws Exception {
		this.server.start();
		List<String> names = IntStream.range(0, users).mapToObj((i) -> "user" + i).toList();
		names.forEach(this.api::register);
		List<String> tokens = names.stream().map(this.api::login).toList();
		String room = this.api.createRoom(tokens.getFirst(), "Room", names);
		for (int i = 0; i < each; i++) {
			for (String token : tokens) {
				this.api.schedule(token, room, "c" + i, Instant.now().plus(DELAY));
			}
		}
		int before = 0;
		for (int kill = 0; kill < kills; kill++) {
			int seen = before;
			Awaitility.await()
				.atMost(PATIENCE)
				.pollInterval(Duration.ofMillis(5))
				.until(() -> texts(tokens.getFirst(), room, null).size() > seen);
			this.server.kill9();
			this.server.start();
			before = texts(this.api.login(names.getFirst()), room, null).size();
			if (before == users * each) {
				break;
			}
		}
		List<String> later = names.stream().map(this.api::login).toList();
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> later.stream().allMatch((token) -> this.api.scheduled(token).isEmpty()));
		List<String> expected = IntStream.range(0, each).mapToObj((i) -> "c" + i).toList();
		for (String name : names) {
			Awaitility.await()
				.atMost(PATIENCE)
				.untilAsserted(() -> assertThat(texts(later.getFirst(), room, name)).isEqualTo(expected));
		}
	}

	/** Returns the texts of one sender, or of all. */
	private List<String> texts(String token, String room, @Nullable String sender) {
		List<String> texts = new ArrayList<>();
		for (JsonNode event : this.api.history(token, room)) {
			if (event.has("text") && (sender == null || event.path("sender").asString().equals(sender))) {
				texts.add(event.path("text").asString());
			}
		}
		return texts;
	}

}
