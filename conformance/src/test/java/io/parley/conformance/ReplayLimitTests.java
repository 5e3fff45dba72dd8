package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Replays cost the server little, however often a client requests them. */
@PatientServer
@Tag("slow")
class ReplayLimitTests {

	/** The allowance of ten seconds. */
	private static final int SUBSCRIBES_AT_ONCE = 40;

	private static final int MESSAGES = 80;

	private static final String TEXT = "x".repeat(15_000);

	private final ChatServer server;

	ReplayLimitTests(ChatServer server) {
		this.server = server;
	}

	private long fill(String room) {
		long last = 0;
		for (int i = 0; i < MESSAGES; i++) {
			last = this.server.user("anna").say(room, "c" + i, TEXT);
		}
		return last;
	}

	@Test
	void aSecondSubscriptionToTheSameDestinationIsRefused() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("one", room);
			for (String destination : List.of("/topic/rooms." + room, "/user/queue/events")) {
				assertThat(anna.expectError("SUBSCRIBE", Map.of("id", "two", "destination", destination), "")
					.path("code")
					.asString()).isEqualTo("duplicate-subscription");
			}
			anna.unsubscribe("one");
			anna.follow("two", room);
		}
	}

	@Test
	void limitsTheSubscribeRateOfASession() {
		try (StompConnection fast = this.server.connectWithEvents("anna");
				StompConnection other = this.server.connectWithEvents("anna")) {
			String room = this.server.room("anna");
			Map<String, String> subscribe = Map.of("id", "s", "destination", "/topic/rooms." + room);
			for (int i = 0; i < 2 * SUBSCRIBES_AT_ONCE; i++) {
				fast.send("SUBSCRIBE", subscribe, "");
				fast.send("UNSUBSCRIBE", Map.of("id", "s"), "");
			}
			fast.expectEvent("me", (event) -> event.path("code").asString("").equals("rate-limited"));
			other.follow("s", room);
		}
	}

	/** The budget holds far fewer replays than there are stuck sockets. */
	@Test
	@Tag("exhaustive")
	void stuckReplaysKeepNobodyFromSubscribing() {
		String room = this.server.room("anna", "bert");
		long last = fill(room);
		List<StompConnection> stuck = new ArrayList<>();
		try {
			for (int i = 0; i < 12; i++) {
				StompConnection connection = this.server.connect("bert");
				stuck.add(connection);
				connection.stopReading();
				connection.send("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room, "after", "0"),
						"");
			}
			try (StompConnection anna = this.server.connect("anna")) {
				assertThat(anna.follow("s", room).path("head").asLong()).isEqualTo(last);
				anna.unsubscribe("s");
				// With a replay too: either all events arrive, or a gap names what was
				// skipped.
				JsonNode subscribed = anna.follow("again", room, 0);
				assertThat(subscribed.path("recovered").asBoolean()).isTrue();
				List<JsonNode> events = anna.events("again");
				long end = events.getLast().path("type").asString().equals("gap")
						? events.getLast().path("head").asLong() : events.getLast().path("position").asLong();
				assertThat(end).isEqualTo(last);
			}
		}
		finally {
			stuck.forEach(StompConnection::abort);
		}
	}

	@Test
	void nothingComesAfterTheReceiptOfUnsubscribe() {
		String room = this.server.room("anna");
		fill(room);
		try (StompConnection anna = this.server.connect("anna")) {
			anna.stopReading();
			anna.send("SUBSCRIBE",
					Map.of("id", "s", "destination", "/topic/rooms." + room, "after", "0", "receipt", "subscribed"),
					"");
			anna.send("UNSUBSCRIBE", Map.of("id", "s", "receipt", "unsubscribed"), "");
			anna.readOn();
			anna.expectReceipt("unsubscribed");
			anna.subscribe("me", "/user/queue/events");
			List<Frame> frames = anna.frames();
			int end = frames.indexOf(anna.expect((frame) -> frame.isReceipt("unsubscribed")));
			assertThat(frames.subList(end + 1, frames.size())).noneMatch((frame) -> frame.isMessageOf("s"))
				.noneMatch((frame) -> frame.isReceipt("subscribed"));
		}
	}

	/**
	 * The replay ends as well: the next subscription of the session need not wait for it.
	 */
	@Test
	void anEndedSubscriptionEndsItsReplay() {
		String room = this.server.room("anna");
		String quiet = this.server.room("anna");
		fill(room);
		try (StompConnection anna = this.server.connect("anna")) {
			for (int i = 0; i < 10; i++) {
				anna.send("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room, "after", "0"), "");
				anna.send("UNSUBSCRIBE", Map.of("id", "s"), "");
			}
			anna.follow("q", quiet);
			assertThat(anna.events("s").size()).isLessThan(10 * MESSAGES);
		}
	}

	/**
	 * Each subscription waits one second for a position that never comes, one after the
	 * other.
	 */
	@Test
	@Tag("exhaustive")
	void positionsOfTheFutureHoldUpOnlyThoseWhoAsk() {
		List<StompConnection> flood = new ArrayList<>();
		try {
			List<String> rooms = new ArrayList<>();
			List<String> future = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				String room = this.server.room("anna", "bert");
				rooms.add(room);
				future.add(String.valueOf(this.server.user("bert").listed(room).path("head").asLong() + 5_000));
			}
			for (int i = 0; i < 10; i++) {
				StompConnection connection = this.server.connect("bert");
				flood.add(connection);
				for (int j = 0; j < rooms.size(); j++) {
					connection.sendWithReceipt("SUBSCRIBE", Map.of("id", rooms.get(j), "destination",
							"/topic/rooms." + rooms.get(j), "after", future.get(j)), "");
				}
			}
			try (StompConnection anna = this.server.connect("anna")) {
				anna.follow("s", rooms.getFirst());
				long done = flood.stream()
					.flatMap((connection) -> connection.frames().stream())
					.filter((frame) -> frame.is("RECEIPT"))
					.count();
				assertThat(done).as("subscriptions confirmed before").isLessThan(10 * rooms.size());
			}
			// These subscriptions are confirmed too, as not recovered.
			String first = rooms.getFirst();
			Awaitility.await().until(() -> flood.getFirst().events(first).size() == 1);
			assertThat(flood.getFirst().events(first).getFirst().path("recovered").asBoolean()).isFalse();
		}
		finally {
			flood.forEach(StompConnection::abort);
		}
	}

}
