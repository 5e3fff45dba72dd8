package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.List;

import io.parley.persistence.PersistenceWorker;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Persistence is stopped and the memory holds almost nothing, so history is read from the
 * log.
 */
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.history.tail=8KB", "chat.log.partitions=2" })
class HistoryFromLogIntegrationTests {

	private static final int STORED = 5;

	private static final int NOT_STORED = 30;

	private final ChatServer server;

	private final PersistenceWorker persistence;

	private final Tail tail;

	private final List<Long> positions = new ArrayList<>();

	private String room = "";

	HistoryFromLogIntegrationTests(ChatServer server, PersistenceWorker persistence, Tail tail) {
		this.server = server;
		this.persistence = persistence;
		this.tail = tail;
	}

	@BeforeEach
	void stopStoring() {
		this.room = this.server.channel("anna");
		say(0, STORED);
		this.persistence.stop();
		say(STORED, STORED + NOT_STORED);
		assertThat(this.tail.after(this.room, 0).events()).hasSizeLessThan(NOT_STORED);
	}

	@AfterEach
	void restartPersistence() {
		this.persistence.start();
	}

	private void say(int from, int to) {
		for (int i = from; i < to; i++) {
			this.positions.add(this.server.user("anna").say(this.room, "c" + i, "text " + i));
		}
	}

	@Test
	void readsAllPagesInBothDirections() {
		assertThat(messages("?limit=100")).isEqualTo(this.positions);
		assertThat(messages("?limit=100&after=" + this.positions.get(2)))
			.isEqualTo(this.positions.subList(3, this.positions.size()));
		assertThat(messages("?limit=4&after=" + this.positions.get(7))).isEqualTo(this.positions.subList(8, 12));
		assertThat(messages("?limit=4&before=" + this.positions.get(20))).isEqualTo(this.positions.subList(16, 20));
	}

	@Test
	void numbersAndCountsEventsThatAreOnlyInTheLog() {
		List<JsonNode> events = this.server.user("anna").history(this.room, "?limit=100");
		assertThat(events.stream().skip(1).map((event) -> event.path("number").asInt()))
			.containsExactlyElementsOf(java.util.stream.IntStream.rangeClosed(1, STORED + NOT_STORED).boxed().toList());
		assertThat(this.server.user("anna")
			.history(this.room, "?limit=1&before=" + this.positions.get(20))
			.getFirst()
			.path("number")
			.asInt()).isEqualTo(20);
		this.server.user("bert").join(this.room, "bert");
		assertThat(this.server.user("bert").listed(this.room).path("unread").asInt()).isEqualTo(STORED + NOT_STORED);
	}

	@Test
	void findsTheHeadOfARoomThatIsOnlyInTheLog() {
		String other = otherRoomInTheSamePartition();
		for (int i = 0; i < NOT_STORED; i++) {
			this.server.user("anna").say(other, "x" + i, "text");
		}
		assertThat(this.tail.after(this.room, 0).events()).isEmpty();
		try (StompConnection anna = this.server.connect("anna")) {
			assertThat(anna.follow("s", this.room).path("head").asLong()).isEqualTo(this.positions.getLast());
			assertThat(anna.events("s")).hasSize(1);
		}
	}

	private String otherRoomInTheSamePartition() {
		String other = this.server.room("anna");
		while (io.parley.events.RoomNames.partition(other, 2) != io.parley.events.RoomNames.partition(this.room, 2)) {
			other = this.server.room("anna");
		}
		return other;
	}

	@Test
	void replaysFromTheLog() {
		try (StompConnection anna = this.server.connect("anna")) {
			assertThat(anna.follow("s", this.room, this.positions.getFirst()).path("recovered").asBoolean()).isTrue();
			assertThat(anna.events("s").stream().skip(1).map((event) -> event.path("position").asLong()))
				.containsExactlyElementsOf(this.positions.subList(1, this.positions.size()));
		}
	}

	private List<Long> messages(String query) {
		return this.server.user("anna")
			.history(this.room, query)
			.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted"))
			.map((event) -> event.path("position").asLong())
			.toList();
	}

}
