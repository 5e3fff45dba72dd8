package io.parley.persistence;

import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.MessageState;
import io.parley.events.Positions;
import io.parley.events.RoomNames;
import io.parley.events.ThreadState;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;
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

/** Tests how threads are stored. */
@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:changes")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class ThreadsTests {

	private final PersistenceFixture fixture;

	private final RoomEventRepository events;

	private final MessageStateRepository states;

	private final JdbcTemplate jdbc;

	private final RoomLog log;

	private final String room = PersistenceFixture.room();

	private final int partition;

	private final long epoch;

	ThreadsTests(PersistenceFixture fixture, RoomEventRepository events, MessageStateRepository states,
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

	/** Two threads; of the first one, a reply is deleted twice, and then the root. */
	private List<LogRecord> appendAll() throws Exception {
		PersistenceFixture.append(this.log, PersistenceFixture.message(this.room, "anna", "c0"),
				PersistenceFixture.message(this.room, "anna", "c1"), reply("bert", "c2", 0), reply("cleo", "c3", 0),
				reply("bert", "c4", 1), delete("d5", 2, 0), delete("d6", 2, 0),
				PersistenceFixture.delete(this.room, "d7", position(0)), reply("bert", "c8", 0),
				PersistenceFixture.message(this.room, "bert", "c9"));
		return PersistenceFixture.records(this.log, this.room);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 3, 10 })
	void foldsThreadsWhateverTheBatches(int size) throws Exception {
		List<LogRecord> records = appendAll();
		this.fixture.store(this.log, this.partition, records, size);
		assertStored();
		this.fixture.writer(this.log).handle(this.partition, records);
		assertStored();
	}

	@Test
	void aParkedReplyGetsItsNumber() throws Exception {
		List<LogRecord> records = appendAll();
		EventWriter writer = this.fixture.writer(this.log);
		writer.handle(this.partition, records.subList(0, 2));
		this.fixture.parkBy(writer, records.get(2));
		writer.handle(this.partition, records.subList(3, records.size()));
		assertThat(numbers(0)).containsExactly(Map.entry(position(3), 1L), Map.entry(position(8), 2L));
		assertThat(this.fixture.replay(this.log).run().stored()).isOne();
		assertStored();
	}

	private void assertStored() {
		Map<Long, MessageState> stored = this.states.between(this.room, 0, Long.MAX_VALUE);
		MessageState root = stored.get(position(0));
		assertThat(root).isNotNull();
		assertThat(root.deleted()).isTrue();
		assertThat(root.edited()).isEqualTo(position(7));
		assertThat(root.changed()).isEqualTo(position(8));
		assertThat(root.thread().number()).isEqualTo(3);
		assertThat(root.thread().replies()).isEqualTo(2);
		assertThat(root.thread().last()).isEqualTo(position(8));
		assertThat(root.thread().users()).containsExactlyInAnyOrder("bert", "cleo");
		assertThat(stored.get(position(1))).isEqualTo(new MessageState(position(4), null, 0, false, 0, 0, Map.of(), 0,
				new ThreadState(1, 0, position(4), List.of("bert"))));
		assertThat(stored.get(position(2))).isEqualTo(
				new MessageState(position(5), null, 0, true, position(5), 0, Map.of(), position(0), ThreadState.NONE));
		assertThat(this.states.changedAfter(this.room, position(4), 10).keySet()).containsExactlyInAnyOrder(position(0),
				position(2));
		assertThat(numbers(0)).containsExactly(Map.entry(position(2), 1L), Map.entry(position(3), 2L),
				Map.entry(position(8), 3L));
		assertThat(numbers(1)).containsExactly(Map.entry(position(4), 1L));
		assertThat(this.jdbc.queryForList(
				"SELECT username FROM thread_participant WHERE room_id = ? AND root = ? AND position = ?", String.class,
				this.room, position(0), position(8)))
			.containsExactly("bert");
		assertThat(this.jdbc.queryForList("SELECT username FROM thread_participant WHERE room_id = ? ORDER BY 1",
				String.class, this.room))
			.containsExactly("anna", "anna", "bert", "bert", "cleo");
		// Of the deleted messages, only the root is one of the room.
		assertThat(this.events.head(this.room)).isEqualTo(new RoomHead(position(9), 3, 1));
		RoomPosition start = new RoomPosition(this.room, 0);
		assertThat(this.states.deletedAfter(Map.of(start, position(7)))).isEqualTo(Map.of(start, 1L));
		assertThat(this.events.newest(List.of(this.room), 5).get(this.room)).isNotNull()
			.satisfies((newest) -> assertThat(newest.events()).extracting(StoredEvent::position)
				.containsExactly(position(9), position(1), position(0)));
		List<StoredEvent> feed = this.fixture.history(this.room);
		assertThat(feed).extracting(StoredEvent::number).containsExactly(1L, 2L, 2L, 2L, 2L, 2L, 2L, 2L, 2L, 3L);
		assertThat(feed.stream().filter((event) -> event.record().changes()))
			.extracting((event) -> event.record().clientId())
			.containsExactly("d5", "d7");
		assertThat(feed).extracting((event) -> event.record().thread())
			.containsExactly(0L, 0L, position(0), position(0), position(1), position(0), position(0), 0L, position(0),
					0L);
		assertThat(new String(feed.get(2).json())).contains("thread.posted", "\"deleted\":true")
			.doesNotContain("Reply");
	}

	private List<Map.Entry<Long, Long>> numbers(long root) {
		return this.jdbc.query(
				"SELECT position, number FROM thread_reply WHERE room_id = ? AND root = ? ORDER BY position",
				(row, index) -> Map.entry(row.getLong(1), row.getLong(2)), this.room, position(root));
	}

	private EventRecord reply(String sender, String clientId, long root) {
		return PersistenceFixture.reply(this.room, sender, clientId, position(root));
	}

	private EventRecord delete(String clientId, long target, long root) {
		return PersistenceFixture.deleteReply(this.room, clientId, position(target), position(root));
	}

	private long position(long offset) {
		return Positions.of(this.epoch, offset);
	}

}
