package io.parley.store.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.MemberJoined;
import io.parley.events.MessagePosted;
import io.parley.events.RoomEvent;
import io.parley.store.StoreTest;
import io.parley.store.UtcTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class RoomEventRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T12:00:00.123Z");

	private final RoomEventRepository events;

	private final JdbcTemplate jdbc;

	RoomEventRepositoryTests(RoomEventRepository events, JdbcTemplate jdbc) {
		this.events = events;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void store() {
		this.jdbc.update("DELETE FROM room_event");
		this.jdbc.update("DELETE FROM room_head");
		for (String room : List.of("a", "b", "c")) {
			insert(joined(room), 10, 0, 0);
			insert(posted(room, "c1"), 20, 10, 1);
			insert(posted(room, "c2"), 30, 20, 2);
			insert(joined(room), 40, 30, 2);
		}
		this.jdbc.update("INSERT INTO room_head (room_id, last_position, last_number) VALUES ('b', 40, 2)");
	}

	@Test
	void pagesInBothDirectionsAscending() {
		assertThat(this.events.after("b", 10, 2)).extracting(StoredEvent::position).containsExactly(20L, 30L);
		assertThat(this.events.before("b", 40, 2)).extracting(StoredEvent::position).containsExactly(20L, 30L);
		assertThat(this.events.after("b", 40, 2)).isEmpty();
		assertThat(this.events.before("b", 10, 2)).isEmpty();
	}

	@Test
	void countsEventsAfterAPositionUpToALimit() {
		assertThat(this.events.countAfter("b", 0, 10)).isEqualTo(4);
		assertThat(this.events.countAfter("b", 10, 10)).isEqualTo(3);
		assertThat(this.events.countAfter("b", 10, 2)).isEqualTo(2);
		assertThat(this.events.countAfter("b", 40, 10)).isZero();
		assertThat(this.events.countAfter("nowhere", 0, 10)).isZero();
	}

	@Test
	void returnsTheEventAsItWasAppended() {
		StoredEvent stored = this.events.after("b", 10, 1).getFirst();
		EventRecord original = EventRecord.of(posted("b", "c1"));
		assertThat(stored.record().encode()).isEqualTo(original.encode());
		assertThat(stored.json()).isEqualTo(original.json(20, 10, 1));
	}

	@Test
	void findsThePreviousPosition() {
		assertThat(this.events.previous("b", 35)).isEqualTo(30);
		assertThat(this.events.previous("b", 30)).isEqualTo(20);
		assertThat(this.events.previous("b", 10)).isZero();
		assertThat(this.events.previous("nowhere", 10)).isZero();
	}

	@Test
	void findsTheNumberOfAnyPosition() {
		assertThat(this.events.numberAt("b", 9)).isZero();
		assertThat(this.events.numberAt("b", 29)).isEqualTo(1);
		assertThat(this.events.numberAt("b", 99)).isEqualTo(2);
		assertThat(this.events.numbersAt(Map.of("a", 20L, "b", 99L, "nowhere", 1L)))
			.isEqualTo(Map.of("a", 1L, "b", 2L));
	}

	@Test
	void findsMessagesOfManyRoomsSinceAnInstant() {
		Map<String, Instant> since = Map.of("a", NOW.minusMillis(1), "b", NOW, "nowhere", NOW.minusMillis(1));
		assertThat(this.events.messagesSince(since, 10)).extracting((event) -> event.record().room())
			.containsExactly("a", "a");
		assertThat(this.events.messagesSince(since, 2)).as("of the newest two, one is a message")
			.extracting(StoredEvent::position)
			.containsExactly(30L);
		assertThat(this.events.messagesSince(Map.of(), 2)).isEmpty();
	}

	@Test
	void findsTheHeads() {
		assertThat(this.events.head("b")).isEqualTo(new RoomHead(40, 2));
		assertThat(this.events.head("nowhere")).isEqualTo(RoomHead.NONE);
		assertThat(this.events.heads(List.of("a", "b"))).isEqualTo(Map.of("b", new RoomHead(40, 2)));
		assertThat(this.events.heads(List.of())).isEmpty();
	}

	@Test
	void findsAMessageByItsClientId() {
		assertThat(this.events.byClientId("b", "anna", "c2")).get().extracting(StoredEvent::position).isEqualTo(30L);
		assertThat(this.events.byClientId("b", "bert", "c2")).isEmpty();
	}

	@Test
	void readsBackwardsFromTheIndexWithoutSorting() {
		String plan = this.jdbc.queryForObject("EXPLAIN " + RoomEventRepository.NUMBER_AT, String.class, "b", 35L);
		assertThat(plan).contains("index sorted", "ROOM_ID = ");
		assertThat(plan).doesNotContain("tableScan");
	}

	@Test
	void readsPagesFromTheIndexWithoutSorting() {
		for (String query : List.of(RoomEventRepository.AFTER, RoomEventRepository.BEFORE)) {
			assertThat(plan(query, "b", 35L, 10)).contains("ROOM_ID = ", "index sorted").doesNotContain("tableScan");
		}
		assertThat(plan(RoomEventRepository.NEWEST, "b", 10)).contains("ROOM_ID = ", "index sorted")
			.doesNotContain("tableScan");
	}

	private String plan(String query, Object... arguments) {
		return String.valueOf(this.jdbc.queryForObject("EXPLAIN " + query, String.class, arguments));
	}

	private void insert(RoomEvent event, long position, long prev, long number) {
		EventRecord at = EventRecord.of(event);
		this.jdbc.update(
				"""
						INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at, body)
						VALUES (?,?,?,?,?,?,?,?,?,?)""",
				at.room(), position, prev, number, at.type().wireName(), at.id(), at.sender(), at.clientId(),
				UtcTime.of(at.sentAt()), new String(at.tail(), StandardCharsets.UTF_8));
	}

	private static MessagePosted posted(String room, String clientId) {
		return new MessagePosted(room, "id-" + clientId, "anna", clientId, NOW, "Grüße 👋", Map.of("n", "1"));
	}

	private static MemberJoined joined(String room) {
		return new MemberJoined(room, "id", "anna", NOW, "bert");
	}

}
