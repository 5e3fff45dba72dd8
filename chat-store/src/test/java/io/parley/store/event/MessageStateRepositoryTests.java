package io.parley.store.event;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.MessageDeleted;
import io.parley.events.MessageEdited;
import io.parley.events.MessagePosted;
import io.parley.events.MessageState;
import io.parley.events.PinState;
import io.parley.events.RoomEvent;
import io.parley.store.StoreTest;
import io.parley.store.UtcTime;
import io.parley.store.event.MessageStateRepository.Changes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests what is read of three messages: at 10 an unchanged one, at 20 one that was edited
 * at 40 and 60, and at 30 one that was edited at 50 and deleted at 70.
 */
@StoreTest
class MessageStateRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T12:00:00.123Z");

	private static final MessageState EDITED = new MessageState(60, "second", 2, false);

	private static final MessageState DELETED = new MessageState(70, null, 1, true);

	private final MessageStateRepository states;

	private final RoomEventRepository events;

	private final JdbcTemplate jdbc;

	MessageStateRepositoryTests(MessageStateRepository states, RoomEventRepository events, JdbcTemplate jdbc) {
		this.states = states;
		this.events = events;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void store() {
		for (String table : List.of("room_event", "room_head", "message_state")) {
			this.jdbc.update("DELETE FROM " + table);
		}
		insert(posted("anna", "c10"), 10, "");
		insert(posted("anna", "c20"), 20, "");
		insert(posted("bert", "c30"), 30, "deleted");
		insert(edited("c40", 20, "first"), 40, "superseded");
		insert(edited("c50", 30, "gone"), 50, "superseded");
		insert(edited("c60", 20, "second"), 60, "superseded");
		insert(new MessageDeleted("r", "id70", "anna", "c70", NOW, 30, "moderator", "rude"), 70, "");
		state(20, EDITED);
		state(30, DELETED);
		this.jdbc.update("INSERT INTO room_head (room_id, last_position, last_number, deletes) VALUES ('r', 70, 3, 1)");
	}

	@Test
	void findsStates() {
		assertThat(this.states.between("r", 10, 20)).isEqualTo(Map.of(20L, EDITED));
		assertThat(this.states.of("r", List.of(10L, 30L))).isEqualTo(Map.of(30L, DELETED));
		assertThat(this.states.of("other", List.of(20L))).isEmpty();
		RoomPosition twenty = new RoomPosition("r", 20);
		assertThat(this.states.of(List.of(twenty, new RoomPosition("other", 30)))).isEqualTo(Map.of(twenty, EDITED));
	}

	@Test
	void findsChangedMessagesInTheOrderOfTheirLastChange() {
		assertThat(this.states.changedAfter("r", 0, 10)).containsExactly(Map.entry(20L, EDITED),
				Map.entry(30L, DELETED));
		assertThat(this.states.changedAfter("r", 0, 1)).containsExactly(Map.entry(20L, EDITED));
		assertThat(this.states.changedAfter("r", 60, 10)).containsExactly(Map.entry(30L, DELETED));
		assertThat(this.states.changedAfter("r", 70, 10)).isEmpty();
	}

	@Test
	void findsPinnedMessages() {
		assertThat(this.states.pinned("r")).isEmpty();
		this.jdbc.update("UPDATE message_state SET pin = 65, pinned = TRUE WHERE room_id = 'r' AND target = 20");
		this.jdbc.update("UPDATE message_state SET pin = 66 WHERE room_id = 'r' AND target = 30");
		assertThat(this.states.pinned("r").keySet()).containsExactly(20L);
		assertThat(this.states.of("r", List.of(20L, 30L)).values()).extracting(MessageState::pin)
			.containsExactlyInAnyOrder(new PinState(65, true), new PinState(66, false));
		assertThat(this.states.pinned("other")).isEmpty();
	}

	@Test
	void countsDeletedMessages() {
		RoomPosition ten = new RoomPosition("r", 10);
		RoomPosition thirty = new RoomPosition("r", 30);
		assertThat(this.states.deletedAfter(Map.of(ten, 70L, thirty, 70L))).isEqualTo(Map.of(ten, 1L, thirty, 0L));
		assertThat(this.states.deletedAfter(Map.of(ten, 69L))).isEqualTo(Map.of(ten, 0L));
		assertThat(this.states.deletedAfter(Map.of())).isEmpty();
		assertThat(this.events.head("r")).isEqualTo(new RoomHead(70, 3, 1));
	}

	@Test
	void theFeedHasTheContentOfLastChangesOnly() {
		List<StoredEvent> feed = this.events.after("r", 0, 10);
		assertThat(feed.stream().map((event) -> new String(event.json(), StandardCharsets.UTF_8))).satisfiesExactly(
				(plain) -> assertThat(plain).contains("\"text\":\"text\""),
				(edited) -> assertThat(edited).contains("\"text\":\"text\""),
				(deleted) -> assertThat(deleted).contains("\"text\":\"\",\"deleted\":true"),
				(first) -> assertThat(first).contains("\"target\":20,\"superseded\":true").doesNotContain("text"),
				(gone) -> assertThat(gone).contains("\"target\":30,\"superseded\":true").doesNotContain("text"),
				(second) -> assertThat(second).contains("\"target\":20,\"text\":\"second\""),
				(delete) -> assertThat(delete).contains("\"as\":\"moderator\",\"reason\":\"rude\""));
		assertThat(feed.stream().filter((event) -> event.record().changes()).map(StoredEvent::position))
			.containsExactly(60L, 70L);
		assertThat(this.events.before("r", 71, 7)).extracting(StoredEvent::position)
			.isEqualTo(feed.stream().map(StoredEvent::position).toList());
		assertThat(this.events.at("r", List.of(30L, 99L))).extracting(StoredEvent::position).containsExactly(30L);
	}

	@Test
	void theNewestMessagesHaveTheirCurrentText() {
		RoomEventRepository.Newest newest = this.events.newest(List.of("r", "other"), 2).get("r");
		assertThat(newest).isNotNull();
		assertThat(newest.head()).isEqualTo(new RoomHead(70, 3, 1));
		assertThat(newest.events()).extracting(StoredEvent::position).containsExactly(30L, 20L);
		assertThat(newest.events()).extracting((event) -> ((MessagePosted) event.record().event()).text())
			.containsExactly("", "second");
		assertThat(this.events.messagesSince(Map.of("r", NOW.minusSeconds(1)), 10))
			.extracting((event) -> ((MessagePosted) event.record().event()).text())
			.containsExactlyInAnyOrder("text", "second");
	}

	@Test
	void findsWhatIsLeftOfARange() {
		MessageRange all = new MessageRange("r", 10, 30, "cleo");
		MessageRange own = new MessageRange("r", 10, 30, "bert");
		MessageRange plain = new MessageRange("r", 10, 10, "cleo");
		MessageRange deleted = new MessageRange("r", 30, 30, "cleo");
		assertThat(this.states.changesIn(List.of(all, own, plain, deleted)))
			.isEqualTo(Map.of(all, new Changes(1, true), own, new Changes(0, false), deleted, new Changes(1, true)));
		Map<MessageRange, StoredEvent> newest = this.events.newestIn(List.of(all, own, plain, deleted));
		assertThat(newest.keySet()).containsExactlyInAnyOrder(all, own, plain);
		assertThat(newest.get(all)).isNotNull()
			.satisfies((event) -> assertThat(((MessagePosted) event.record().event()).text()).isEqualTo("second"));
	}

	private void state(long target, MessageState state) {
		this.jdbc.update("""
				INSERT INTO message_state (room_id, target, changed, text, edits, deleted, edited, reacted, counts)
				VALUES ('r', ?, ?, ?, ?, ?, ?, ?, ?)""", target, state.changed(), state.text(), state.edits(),
				state.deleted(), state.edited(), state.reacted(), state.counts().isEmpty() ? null : state.countsJson());
	}

	/** Stores an event as the persistence-worker does. */
	private void insert(RoomEvent event, long position, String stub) {
		EventRecord record = EventRecord.of(event);
		String body = switch (stub) {
			case "deleted" -> "";
			case "superseded" -> new String(record.superseded().tail(), StandardCharsets.UTF_8);
			default -> new String(record.tail(), StandardCharsets.UTF_8);
		};
		this.jdbc.update(
				"""
						INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at, target, body)
						VALUES ('r', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
				position, position - 10, Math.min(3, position / 10), record.type().wireName(), record.id(),
				record.sender(), record.clientId(), UtcTime.of(NOW),
				(record.target() > 0) ? Long.valueOf(record.target()) : null, body);
	}

	private static MessagePosted posted(String sender, String clientId) {
		return new MessagePosted("r", "id" + clientId, sender, clientId, NOW, "text", Map.of());
	}

	private static MessageEdited edited(String clientId, long target, String text) {
		return new MessageEdited("r", "id" + clientId, "anna", clientId, NOW, target, text);
	}

}
