package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TemporaryData;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@FanOut
@Relay
@UnlimitedServer
class ResumeTests {

	/** The value that {@link TemporaryData} sets. */
	private static final int REPLAY = 100;

	private final ChatServer server;

	ResumeTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void replaysFromEachPointOfASequence() {
		String room = this.server.room("anna");
		ChatApi api = this.server.user("anna");
		List<Long> positions = new ArrayList<>(List.of(0L));
		api.history(room, "").forEach((event) -> positions.add(event.path("position").asLong()));
		for (int i = 0; i < 12; i++) {
			positions.add(api.say(room, "c" + i, "text " + i));
		}
		try (StompConnection anna = this.server.connect("anna")) {
			for (int i = 0; i < positions.size(); i++) {
				JsonNode subscribed = anna.follow("s" + i, room, positions.get(i));
				assertThat(subscribed.path("recovered").asBoolean()).isTrue();
				assertThat(positions(anna, "s" + i)).isEqualTo(positions.subList(i + 1, positions.size()));
				anna.unsubscribe("s" + i);
			}
		}
	}

	@Test
	void losesAndDoublesNothingWhileFourKeepSending() throws Exception {
		String room = this.server.room("anna", "bert");
		ChatApi api = this.server.user("anna");
		long start = api.say(room, "start", "start");
		List<StompConnection> subscribers = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<?>> senders = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				int sender = i;
				senders.add(threads.submit(() -> keepSending(room, sender)));
			}
			while (senders.stream().anyMatch((sender) -> !sender.isDone()) && subscribers.size() < REPLAY / 2) {
				StompConnection bert = this.server.connect("bert");
				subscribers.add(bert);
				assertThat(bert.follow("s", room, start).path("recovered").asBoolean()).isTrue();
			}
			for (Future<?> sender : senders) {
				sender.get();
			}
			api.say(room, "end", "end");
			List<Long> expected = api.history(room, "?limit=200&after=" + start)
				.stream()
				.map((event) -> event.path("position").asLong())
				.toList();
			assertThat(expected).hasSize(81);
			for (StompConnection bert : subscribers) {
				bert.expectMessage("s", "end");
				assertThat(positions(bert, "s")).isEqualTo(expected);
				Chain.assertUnbroken(bert.events("s").stream().skip(1).toList(), start);
			}
		}
		finally {
			subscribers.forEach(StompConnection::close);
		}
	}

	private void keepSending(String room, int sender) {
		try (StompConnection anna = this.server.connect("anna")) {
			for (int i = 0; i < 20; i++) {
				anna.expectReceipt(anna.say(room, sender + "-" + i, "text"));
			}
		}
	}

	@Test
	void saysSoWhenTheClientIsTooFarBehindAndGoesOnLive() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connect("anna"); StompConnection bert = this.server.connect("bert")) {
			String receipt = "";
			for (int i = 0; i <= REPLAY; i++) {
				receipt = anna.say(room, "c" + i, "text " + i);
			}
			anna.expectReceipt(receipt);
			long head = sayAndAwaitHead(room);
			JsonNode subscribed = bert.follow("s", room, 0);
			assertThat(subscribed.path("recovered").asBoolean()).isFalse();
			assertThat(subscribed.path("head").asLong()).isEqualTo(head);
			anna.say(room, "live", "live");
			assertThat(bert.expectMessage("s", "live").path("prev").asLong()).isEqualTo(head);
			assertThat(bert.events("s")).hasSize(2);
		}
	}

	@Test
	void replaysUpToTheLimit() {
		String room = this.server.room("anna", "bert");
		long start = this.server.user("anna").say(room, "start", "start");
		try (StompConnection anna = this.server.connect("anna"); StompConnection bert = this.server.connect("bert")) {
			String receipt = "";
			for (int i = 0; i < REPLAY - 1; i++) {
				receipt = anna.say(room, "c" + i, "text " + i);
			}
			anna.expectReceipt(receipt);
			sayAndAwaitHead(room);
			assertThat(bert.follow("s", room, start).path("recovered").asBoolean()).isTrue();
			assertThat(bert.events("s")).hasSize(1 + REPLAY);
			Chain.assertUnbroken(bert.events("s").stream().skip(1).toList(), start);
		}
	}

	@Test
	void doesNotReportAPositionFromTheFutureAsRecovered() {
		String room = this.server.room("anna");
		long head = this.server.user("anna").say(room, "c1", "text");
		try (StompConnection anna = this.server.connect("anna")) {
			for (long after : List.of(head + 1_000_000, Long.MAX_VALUE)) {
				JsonNode subscribed = anna.follow("s" + after, room, after);
				assertThat(subscribed.path("recovered").asBoolean()).as("after %d", after).isFalse();
				assertThat(subscribed.path("head").asLong()).isEqualTo(head);
				anna.unsubscribe("s" + after);
			}
			anna.follow("live", room);
			anna.expectReceipt(anna.say(room, "c2", "live"));
			anna.expectMessage("live", "c2");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-1", "x", "", "1.5", "99999999999999999999" })
	void refusesInvalidPositions(String after) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna
				.expectError("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room, "after", after), "")
				.path("code")
				.asString()).isEqualTo("bad-position");
		}
	}

	/**
	 * Sends a message and waits until the server has read it from the log, which may be
	 * later than the receipt. Returns its position.
	 */
	private long sayAndAwaitHead(String room) {
		ChatApi anna = this.server.user("anna");
		long position = anna.say(room, "last", "text");
		await().until(() -> anna.listed(room).path("head").asLong() == position);
		return position;
	}

	private static List<Long> positions(StompConnection connection, String id) {
		return connection.events(id).stream().skip(1).map((event) -> event.path("position").asLong()).toList();
	}

}
