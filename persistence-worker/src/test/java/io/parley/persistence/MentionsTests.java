package io.parley.persistence;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.Mentions;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.events.RoomNames;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomPosition;
import io.parley.store.event.StoredEvent;
import io.parley.store.log.LogEpochs;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests how mentions are stored. */
@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:changes")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class MentionsTests {

	private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

	private static final Mentions ROOM = new Mentions(List.of("bert"), List.of(), true);

	private final PersistenceFixture fixture;

	private final RoomEventRepository events;

	private final JdbcTemplate jdbc;

	private final RoomLog log;

	private final String room = PersistenceFixture.room();

	private final int partition;

	private final long epoch;

	MentionsTests(PersistenceFixture fixture, RoomEventRepository events, JdbcTemplate jdbc, LogEpochs epochs) {
		this.fixture = fixture;
		this.events = events;
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

	private List<LogRecord> appendAll() throws Exception {
		PersistenceFixture.append(this.log, message(0, Mentions.of("bert", "anna")), message(1, null),
				message(2, Mentions.of("bert", "cleo")), edit(3, 1, Mentions.of("dora")),
				edit(4, 0, Mentions.of("bert", "cleo")), message(5, Mentions.NONE),
				PersistenceFixture.delete(this.room, "d6", position(2)), edit(7, 2, Mentions.of("dora")), reply(8),
				message(9, ROOM), edit(10, 0, Mentions.of("cleo", "dora")), message(11, null), edit(12, 11, null));
		return PersistenceFixture.records(this.log, this.room);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 5, 13 })
	void storesWhoIsMentionedInTheEndWhateverTheBatches(int size) throws Exception {
		List<LogRecord> records = appendAll();
		this.fixture.store(this.log, this.partition, records, size);
		assertStored(4);
		this.fixture.writer(this.log).handle(this.partition, records);
		assertStored(4);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 2, 9 })
	void storesThemAlsoIfTheMessageIsStoredAfterItsChanges(int parked) throws Exception {
		EventWriter writer = this.fixture.writer(this.log);
		for (LogRecord record : appendAll()) {
			if (record.offset() == parked) {
				this.fixture.parkBy(writer, record);
			}
			else {
				writer.handle(this.partition, List.of(record));
			}
		}
		assertThat(this.fixture.replay(this.log).run().stored()).isOne();
		assertStored(4);
	}

	private void assertStored(int cleoSince) {
		assertThat(rows()).containsExactly("0 cleo " + cleoSince + " 0", "0 dora 10 0", "1 dora 3 0", "8 cleo 8 1",
				"9 * 9 0");
		assertThat(this.events.head(this.room)).isEqualTo(new RoomHead(position(12), 6, 1, position(9)));
		Map<Long, StoredEvent> messages = new HashMap<>();
		this.events
			.messages(List.of(new RoomPosition(this.room, position(0)), new RoomPosition(this.room, position(2))))
			.forEach((message) -> messages.put(message.position(), message));
		assertThat(messages.get(position(0))).isNotNull()
			.satisfies((message) -> assertThat(message.record().mentions()).isEqualTo(Mentions.of("cleo", "dora")));
		assertThat(messages.get(position(2))).isNotNull()
			.satisfies((message) -> assertThat(message.record().mentions()).isNull());
		assertThat(this.fixture.history(this.room)
			.stream()
			.filter((event) -> event.record().mentions() != null)
			.map((event) -> Positions.offset(event.position()))).containsExactly(0L, 3L, 5L, 8L, 9L, 10L);
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	private List<String> rows() {
		return this.jdbc.query("SELECT * FROM mention WHERE room_id = ? ORDER BY position, username",
				(row, index) -> Positions.offset(row.getLong("position")) + " " + row.getString("username") + " "
						+ (row.getTimestamp("mentioned_at").toLocalDateTime().getSecond()) + " "
						+ Positions.offset(row.getLong("thread")),
				this.room);
	}

	/** A batch without mentions does not even look at the table. */
	@Test
	void plainMessagesCostNothing() throws Exception {
		PersistenceFixture.append(this.log, message(0, null), message(1, null),
				PersistenceFixture.reply(this.room, "bert", "c2", position(1)));
		this.jdbc.execute("ALTER TABLE mention RENAME TO no_mention");
		try {
			this.fixture.writer(this.log).handle(this.partition, PersistenceFixture.records(this.log, this.room));
		}
		finally {
			this.jdbc.execute("ALTER TABLE no_mention RENAME TO mention");
		}
		assertThat(this.fixture.history(this.room)).hasSize(3);
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@Test
	void whomAReplyNamesTakesPart() throws Exception {
		PersistenceFixture.append(this.log, message(0, null), message(1, null), reply(2));
		this.fixture.writer(this.log).handle(this.partition, PersistenceFixture.records(this.log, this.room));
		assertThat(this.jdbc.queryForList(
				"SELECT username FROM thread_participant WHERE room_id = ? AND position = root ORDER BY username",
				String.class, this.room))
			.containsExactly("anna", "cleo");
	}

	private EventRecord message(int offset, @Nullable Mentions mentions) {
		return PersistenceFixture.message(this.room, "anna", "c" + offset, START.plusSeconds(offset), mentions);
	}

	private EventRecord reply(int offset) {
		return EventRecord
			.of(new MessagePosted(this.room, "id" + offset, "bert", "c" + offset, START.plusSeconds(offset), "Reply",
					Map.of(), false, 0, new MessagePosted.InThread(position(1), "anna"), Mentions.of("cleo")));
	}

	private EventRecord edit(int offset, int target, @Nullable Mentions mentions) {
		return PersistenceFixture.edit(this.room, "c" + offset, position(target), START.plusSeconds(offset), mentions);
	}

	private long position(long offset) {
		return Positions.of(this.epoch, offset);
	}

}
