package io.parley.conformance;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.Handshake;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** The outbox of a session is small here. */
@FanOut
@PatientServer
@Tag("slow")
class SlowReaderTests {

	private static final String TEXT = "x".repeat(15_000);

	/** Far more than the socket buffers of the operating system hold. */
	private static final int MESSAGES = Boolean.getBoolean("parley.test.full-size") ? 1_000 : 600;

	private final ChatServer server;

	SlowReaderTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void holdsUpNobodyAndIsToldWhatWasLeftOut() {
		String room = this.server.room("anna", "bert");
		try (StompConnection slow = this.server.connect("bert");
				StompConnection anna = this.server.connect("anna");
				StompConnection fast = this.server.connect("anna")) {
			slow.follow("s", room);
			fast.follow("s", room);
			slow.stopReading();
			sendAsFastAsItReads(anna, fast, room);
			List<Long> all = positions(fast.events("s"));
			assertThat(all).hasSize(MESSAGES);
			slow.readOn();
			JsonNode gap = slow.expectEvent("s", (event) -> event.path("type").asString().equals("gap"));
			anna.expectReceipt(anna.say(room, "last", TEXT));
			slow.expectMessage("s", "last");
			assertComplete(all, gap, slow.events("s"));
		}
	}

	/** The fast reader must not get a gap either. */
	private static void sendAsFastAsItReads(StompConnection sender, StompConnection fast, String room) {
		for (int i = 0; i < MESSAGES; i++) {
			sender.say(room, "c" + i, TEXT);
			if (i % 10 == 9) {
				String clientId = "\"clientId\":\"c" + i + "\"";
				fast.expect((frame) -> frame.isMessageOf("s") && frame.body().contains(clientId));
			}
		}
	}

	/**
	 * All events before and after the gap were received; the history holds those between.
	 */
	private void assertComplete(List<Long> all, JsonNode gap, List<JsonNode> events) {
		long after = gap.path("after").asLong();
		long head = gap.path("head").asLong();
		assertThat(events).filteredOn((event) -> event.path("type").asString().equals("gap")).containsExactly(gap);
		List<Long> received = positions(events);
		assertThat(received.subList(0, received.size() - 1))
			.isEqualTo(all.stream().filter((position) -> position <= after).toList());
		assertThat(head).isEqualTo(all.getLast());
		List<Long> missing = new ArrayList<>();
		for (long from = after; from < head; from = missing.getLast()) {
			missing.addAll(positions(this.server.user("bert")
				.history(gap.path("room").asString(), "?limit=100&after=" + from)
				.stream()
				.filter((event) -> event.path("position").asLong() <= head)
				.toList()));
		}
		assertThat(missing).isEqualTo(all.stream().filter((position) -> position > after).toList());
	}

	private static List<Long> positions(List<JsonNode> events) {
		return events.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted"))
			.map((event) -> event.path("position").asLong())
			.toList();
	}

	/**
	 * The slow reads only make the server wait; their rate does not affect the result.
	 */
	@Test
	@Tag("exhaustive")
	void losesNoMessageOfOthersWhileReadingAKilobyteASecond() throws Exception {
		String room = this.server.room("anna", "bert");
		try (Handshake slow = Handshake.with(this.server);
				StompConnection fast = this.server.connect("anna");
				StompConnection anna = this.server.connect("anna");
				ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
			slow.text(Frame.encode("CONNECT",
					Map.of("accept-version", "1.2", "passcode", this.server.user("bert").token()), ""));
			slow.text(Frame.encode("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room), ""));
			long start = fast.follow("s", room).path("head").asLong();
			AtomicLong taken = new AtomicLong();
			clock.scheduleAtFixedRate(() -> taken.addAndGet(take(slow)), 0, 1, TimeUnit.SECONDS);
			sendAsFastAsItReads(anna, fast, room);
			List<JsonNode> received = fast.events("s").stream().skip(1).toList();
			assertThat(received).hasSize(MESSAGES);
			Chain.assertUnbroken(received, start);
			assertThat(taken.get()).isPositive().isLessThan((long) MESSAGES * TEXT.length());
			clock.shutdownNow();
		}
	}

	private static int take(Handshake slow) {
		try {
			return Math.max(0, slow.take(1024));
		}
		catch (IOException ex) {
			return 0;
		}
	}

	@Test
	@Tag("exhaustive")
	void doesNotKeepOthersFromSubscribing() {
		String room = this.server.room("anna", "bert");
		long start = 0;
		for (int i = 0; i < 60; i++) {
			start = Math.max(start, this.server.user("anna").say(room, "c" + i, TEXT));
		}
		List<StompConnection> stuck = new ArrayList<>();
		for (int i = 0; i < 40; i++) {
			StompConnection connection = this.server.connect("bert");
			stuck.add(connection);
			connection.stopReading();
			connection.send("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room, "after", "0"), "");
		}
		try (StompConnection anna = this.server.connect("anna")) {
			assertThat(anna.follow("s", room).path("head").asLong()).isEqualTo(start);
		}
		stuck.forEach(StompConnection::abort);
	}

}
