package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Two servers send each scheduled message once, and tell all devices. */
@Tag("exhaustive")
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersScheduledTests {

	private static final int EACH = 40;

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	@Test
	void sendEachMessageOnceAndInOrder() {
		TwoServers both = servers.get();
		String room = both.one().room("anna", "bert");
		List<ChatApi> users = List.of(both.one().user("anna"), both.two().user("bert"));
		try (StompConnection here = both.one().connectWithEvents("bert");
				StompConnection there = both.two().connectWithEvents("bert");
				StompConnection reader = both.two().connectWithEvents("anna")) {
			reader.follow("s", room);
			Instant sendAt = Instant.now().plusSeconds(3_600);
			for (int i = 0; i < EACH; i++) {
				for (ChatApi user : users) {
					user.post("/api/rooms/" + room + "/scheduled",
							Map.of("clientId", "c" + i, "text", "t" + i, "sendAt", sendAt.plusMillis(i).toString()))
						.expect(201);
				}
			}
			// The time of all of them comes at once.
			both.database().update("""
					UPDATE scheduled_message SET send_at = DATEADD('SECOND', -7200, send_at),
					due_at = DATEADD('SECOND', -7200, send_at) WHERE room_id = ?""", room);
			for (StompConnection device : List.of(here, there)) {
				await().atMost(Duration.ofSeconds(90))
					.untilAsserted(() -> assertThat(changes(device, "sent")).hasSize(EACH).doesNotHaveDuplicates());
				assertThat(changes(device, "created")).hasSize(EACH);
			}
			await().until(() -> reader.events("s").stream().filter((event) -> event.has("text")).count() >= 2 * EACH);
			List<String> expected = IntStream.range(0, EACH).mapToObj((i) -> "t" + i).toList();
			for (String user : List.of("anna", "bert")) {
				assertThat(texts(reader.events("s"), user)).isEqualTo(expected);
				assertThat(texts(users.getFirst().history(room, "?limit=200"), user)).isEqualTo(expected);
			}
		}
		assertThat(users.getFirst().get("/api/me/scheduled").expect(200).body().path("scheduled")).isEmpty();
	}

	private static List<Long> changes(StompConnection device, String change) {
		return device.events("me")
			.stream()
			.filter((event) -> event.path("change").asString().equals(change))
			.map((event) -> event.at("/scheduled/id").asLong())
			.toList();
	}

	private static List<String> texts(List<JsonNode> events, String sender) {
		List<String> texts = new ArrayList<>();
		events.stream()
			.filter((event) -> event.has("text") && event.path("sender").asString().equals(sender))
			.forEach((event) -> texts.add(event.path("text").asString()));
		return texts;
	}

}
