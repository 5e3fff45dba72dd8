package io.parley.persistence;

import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.MessageState;
import io.parley.events.PinState;
import io.parley.events.Positions;
import io.parley.events.RoomNames;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.event.StoredEvent;
import io.parley.store.log.LogEpochs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests how edits, deletions and reactions are stored. */
@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:changes")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class BatchChangesTests {

	private static final String KEY = "\ud83d\udc4d";

	private final PersistenceFixture fixture;

	private final RoomEventRepository events;

	private final MessageStateRepository states;

	private final JdbcTemplate jdbc;

	private final RoomLog log;

	private final String room = PersistenceFixture.room();

	private final int partition;

	private final long epoch;

	BatchChangesTests(PersistenceFixture fixture, RoomEventRepository events, MessageStateRepository states,
			JdbcTemplate jdbc, LogEpochs epochs) {
		this.fixture = fixture;
		this.events = events;
		this.states = states;
		this.jdbc = jdbc;
		this.log = fixture.log();
		this.partition = RoomNames.partition(this.room, this.log.partitions());
		this.epoch = epochs.current(this.log);
	}

	@AfterEach
	void close() {
		this.log.close();
		this.jdbc.update("DELETE FROM parked_event");
	}

	/** A message, an edited and a deleted one, whose changes crossed others. */
	private List<LogRecord> appendAll() throws Exception {
		PersistenceFixture.append(this.log, message("c0"), message("c1"), message("c2"), edit("e3", 1, "one"),
				edit("e4", 2, "two"), delete("d5", 2), edit("e6", 2, "late"), delete("d7", 2), edit("e8", 1, "last"),
				edit("e3", 1, "a repetition"), message("c10"));
		return PersistenceFixture.records(this.log, this.room);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 5, 11 })
	void foldsChangesWhateverTheBatches(int size) throws Exception {
		List<LogRecord> records = appendAll();
		this.fixture.store(this.log, this.partition, records, size);
		assertStored();
		this.fixture.writer(this.log).handle(this.partition, records);
		assertStored();
	}

	private void assertStored() {
		assertThat(this.states.between(this.room, 0, Long.MAX_VALUE))
			.isEqualTo(Map.of(position(1), new MessageState(position(8), "last", 2, false), position(2),
					new MessageState(position(5), null, 1, true)));
		assertThat(this.states.changedAfter(this.room, 0, 10).keySet()).containsExactly(position(2), position(1));
		assertThat(this.events.head(this.room)).isEqualTo(new RoomHead(position(10), 4, 1));
		List<StoredEvent> feed = this.fixture.history(this.room);
		assertThat(feed).extracting((event) -> event.record().clientId())
			.containsExactly("c0", "c1", "c2", "e3", "e4", "d5", "e6", "d7", "e8", "c10");
		assertThat(feed).extracting(StoredEvent::number).containsExactly(1L, 2L, 3L, 3L, 3L, 3L, 3L, 3L, 3L, 4L);
		assertThat(feed.stream().filter((event) -> event.record().changes()))
			.extracting((event) -> event.record().clientId())
			.containsExactly("d5", "e8");
		assertThat(new String(feed.get(8).json(), java.nio.charset.StandardCharsets.UTF_8))
			.contains("\"text\":\"last\"");
		assertThat(feed.get(2).record()).satisfies((left) -> assertThat(left.tail()).isEqualTo(left.deleted().tail()));
		assertThat(this.jdbc.queryForList("SELECT body FROM room_event WHERE room_id = ? AND position IN (?, ?, ?)",
				String.class, this.room, position(2), position(4), position(6)))
			.noneMatch((body) -> body.contains("two") || body.contains("late") || body.contains("Hello"));
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 2, 4, 5, 8 })
	void foldsParkedRecordsLate(int parked) throws Exception {
		List<LogRecord> records = appendAll();
		EventWriter earlier = this.fixture.writer(this.log);
		for (LogRecord record : records) {
			if (record.offset() == parked) {
				this.fixture.parkBy(earlier, record);
			}
			else {
				earlier.handle(this.partition, List.of(record));
			}
		}
		assertThat(this.fixture.replay(this.log).run()).isEqualTo(new ParkedReplay.Result(1, 0, List.of()));
		Map<Long, MessageState> states = this.states.between(this.room, 0, Long.MAX_VALUE);
		assertThat(states.get(position(2))).isNotNull()
			.satisfies((state) -> assertThat(state.deleted() && state.text() == null).isTrue());
		assertThat(states.get(position(1))).isNotNull()
			.satisfies((state) -> assertThat(state.text()).isEqualTo("last"));
		assertThat(this.events.head(this.room)).isEqualTo(new RoomHead(position(10), 4, 1));
		assertThat(this.jdbc.queryForObject("SELECT body FROM room_event WHERE room_id = ? AND position = ?",
				String.class, this.room, position(2)))
			.isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 4, 9 })
	void storesTheReactionsThatAreLeft(int size) throws Exception {
		PersistenceFixture.append(this.log, message("c0"), message("c1"), react(0, "+anna", "+bert"), react(0, "+anna"),
				edit("e4", 0, "one"), react(0, "-anna", "+cleo", "+anna", "-bert", "-dora"), react(1, "+anna"),
				delete("d7", 1), react(1, "+bert"));
		List<LogRecord> records = PersistenceFixture.records(this.log, this.room);
		this.fixture.store(this.log, this.partition, records, size);
		assertThat(this.states.between(this.room, 0, Long.MAX_VALUE)).isEqualTo(Map.of(position(0),
				new MessageState(position(5), "one", 1, false, position(4), position(5), Map.of(KEY, 2)), position(1),
				new MessageState(position(7), null, 0, true)));
		assertThat(reactions()).containsExactly(position(0) + " anna " + KEY, position(0) + " cleo " + KEY);
		List<StoredEvent> feed = this.fixture.history(this.room);
		assertThat(feed.stream().filter((event) -> event.record().changes()).map(StoredEvent::position))
			.containsExactly(position(4), position(5), position(7));
		assertThat(new String(feed.get(5).json(), java.nio.charset.StandardCharsets.UTF_8))
			.contains("\"counts\":{\"" + KEY + "\":5}", "\"more\":0}");
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 9 })
	void storesThePinsThatAreLeft(int size) throws Exception {
		PersistenceFixture.append(this.log, message("c0"), message("c1"), message("c2"), pin(0, true), pin(1, true),
				pin(2, true), pin(0, false), delete("d7", 1), pin(1, true));
		List<LogRecord> records = PersistenceFixture.records(this.log, this.room);
		this.fixture.store(this.log, this.partition, records, size);
		Map<Long, MessageState> states = this.states.between(this.room, 0, Long.MAX_VALUE);
		assertThat(states.values()).extracting(MessageState::pin)
			.containsExactlyInAnyOrder(new PinState(position(6), false), PinState.NONE,
					new PinState(position(5), true));
		assertThat(this.states.pinned(this.room)).containsOnlyKeys(position(2));
		assertThat(this.fixture.history(this.room).stream().filter((event) -> event.record().changes()))
			.extracting(StoredEvent::position)
			.containsExactly(position(5), position(6), position(7));
		assertThat(this.events.head(this.room)).isEqualTo(new RoomHead(position(8), 3, 1));
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	/** Clients have newer reactions by then, so the old ones have no effect. */
	@Test
	void reactionsThatWereParkedHaveNoEffectAfterNewerOnes() throws Exception {
		PersistenceFixture.append(this.log, message("c0"), react(0, "+anna"), react(0, "+bert"));
		EventWriter writer = this.fixture.writer(this.log);
		for (LogRecord record : PersistenceFixture.records(this.log, this.room)) {
			if (record.offset() == 1) {
				this.fixture.parkBy(writer, record);
			}
			else {
				writer.handle(this.partition, List.of(record));
			}
		}
		assertThat(this.fixture.replay(this.log).run()).isEqualTo(new ParkedReplay.Result(1, 0, List.of()));
		assertThat(this.states.between(this.room, 0, Long.MAX_VALUE).get(position(0))).isNotNull()
			.satisfies((state) -> assertThat(state.counts()).isEqualTo(Map.of(KEY, 1)));
		assertThat(reactions()).containsExactly(position(0) + " bert " + KEY);
	}

	@Test
	void storesManyReactionsOfOneRecord() throws Exception {
		String[] users = java.util.stream.IntStream.range(0, 4_000).mapToObj((i) -> "+user" + i).toArray(String[]::new);
		PersistenceFixture.append(this.log, message("c0"), react(0, users));
		this.fixture.writer(this.log).handle(this.partition, PersistenceFixture.records(this.log, this.room));
		assertThat(reactions()).hasSize(4_000);
		assertThat(this.states.between(this.room, 0, Long.MAX_VALUE).get(position(0))).isNotNull()
			.satisfies((state) -> assertThat(state.counts()).isEqualTo(Map.of(KEY, 4_000)));
	}

	private List<String> reactions() {
		return this.jdbc.query(
				"SELECT target, username, reaction_key FROM reaction WHERE room_id = ? ORDER BY target, username",
				(row, index) -> row.getLong(1) + " " + row.getString(2) + " " + row.getString(3), this.room);
	}

	/** A batch without changes does not even look at the states. */
	@Test
	void plainMessagesCostNothing() throws Exception {
		PersistenceFixture.append(this.log, message("c0"), message("c1"), message("c1"), message("c2"));
		this.jdbc.execute("ALTER TABLE message_state RENAME TO no_message_state");
		try {
			this.fixture.writer(this.log).handle(this.partition, PersistenceFixture.records(this.log, this.room));
		}
		finally {
			this.jdbc.execute("ALTER TABLE no_message_state RENAME TO message_state");
		}
		assertThat(this.fixture.history(this.room)).hasSize(3);
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
		assertThat(this.jdbc.queryForList(
				"SELECT index_type_name FROM information_schema.indexes WHERE table_name = 'ROOM_EVENT'", String.class))
			.as("the primary key and the unique client id")
			.hasSize(2);
	}

	private EventRecord message(String clientId) {
		return PersistenceFixture.message(this.room, "anna", clientId);
	}

	private EventRecord edit(String clientId, int target, String text) {
		return PersistenceFixture.edit(this.room, clientId, position(target), text);
	}

	private EventRecord react(int target, String... users) {
		return PersistenceFixture.react(this.room, position(target), KEY, users);
	}

	private EventRecord pin(int target, boolean on) {
		return PersistenceFixture.pin(this.room, position(target), on);
	}

	private EventRecord delete(String clientId, int target) {
		return PersistenceFixture.delete(this.room, clientId, position(target));
	}

	private long position(int offset) {
		return Positions.of(this.epoch, offset);
	}

}
