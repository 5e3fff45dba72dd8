package io.parley.persistence;

import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.events.EventRecord;
import io.parley.events.NewerRecordException;
import io.parley.events.Positions;
import io.parley.events.RoomNames;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.log.worker.SkippedRecordsException;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.event.StoredEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:persistence")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class EventWriterTests {

	private final PersistenceFixture fixture;

	private final RoomEventRepository events;

	private final RoomLog log;

	private final String room = PersistenceFixture.room();

	private final int partition;

	EventWriterTests(PersistenceFixture fixture, RoomEventRepository events) {
		this.fixture = fixture;
		this.events = events;
		this.log = fixture.log();
		this.partition = RoomNames.partition(this.room, this.log.partitions());
	}

	@AfterEach
	void close() {
		this.log.close();
	}

	@Test
	void assignsPositionAndNumberToEachEvent() throws Exception {
		append(PersistenceFixture.joined(this.room), message("c1"), PersistenceFixture.joined(this.room),
				message("c2"));
		write(this.fixture.writer(this.log), 0, 4);
		List<StoredEvent> history = this.fixture.history(this.room);
		assertThat(history).extracting(StoredEvent::number).containsExactly(0L, 1L, 1L, 2L);
		assertThat(history).extracting((event) -> Positions.offset(event.position())).containsExactly(0L, 1L, 2L, 3L);
		assertThat(history).extracting((event) -> Positions.offset(event.prev())).containsExactly(0L, 0L, 1L, 2L);
		assertThat(history.getFirst().prev()).isEqualTo(Positions.NONE);
		assertThat(this.events.head(this.room)).isEqualTo(new RoomHead(history.getLast().position(), 2));
	}

	@Test
	void storesAMessageOnceWhenItIsTwiceInABatch() throws Exception {
		append(message("c1"), message("c1"), message("c2"), message("c1"));
		write(this.fixture.writer(this.log), 0, 4);
		assertHistory("c1", "c2");
	}

	@Test
	void storesAMessageOnceWhenItComesAgainLater() throws Exception {
		append(message("c1"), message("c2"), message("c1"), message("c3"));
		EventWriter writer = this.fixture.writer(this.log);
		write(writer, 0, 2);
		write(writer, 2, 4);
		assertHistory("c1", "c2", "c3");
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@Test
	void distinguishesMessagesOfDifferentSenders() throws Exception {
		append(message("c1"), PersistenceFixture.message(this.room, "bert", "c1"));
		write(this.fixture.writer(this.log), 0, 2);
		assertHistory("c1", "c1");
	}

	@Test
	void leavesOutWhatWasCommittedBeforeTheProcessDied() throws Exception {
		append(message("c1"), message("c2"), PersistenceFixture.joined(this.room), message("c3"));
		write(this.fixture.writer(this.log), 0, 3);
		EventWriter successor = this.fixture.writer(this.log);
		assertThat(successor.nextOffset(this.partition)).isEqualTo(3);
		write(successor, 0, 4);
		write(successor, 0, 2);
		assertThat(successor.nextOffset(this.partition)).isEqualTo(4);
		assertThat(this.fixture.history(this.room)).extracting(StoredEvent::number).containsExactly(1L, 2L, 2L, 3L);
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@Test
	void continuesNumberingAfterAnotherWriter() throws Exception {
		append(IntStream.range(0, 20).mapToObj((i) -> message("c" + i)).toArray(EventRecord[]::new));
		EventWriter one = this.fixture.writer(this.log);
		EventWriter other = this.fixture.writer(this.log);
		write(one, 0, 5);
		write(other, 5, 10);
		write(one, 5, 10);
		write(one, 10, 15);
		write(other, 12, 20);
		assertHistory(IntStream.range(0, 20).mapToObj((i) -> "c" + i).toArray(String[]::new));
	}

	@Test
	void refusesABatchThatBeginsAboveTheStoredOffset() throws Exception {
		append(message("c1"), message("c2"), message("c3"), message("c4"));
		EventWriter writer = this.fixture.writer(this.log);
		write(writer, 0, 1);
		assertThatExceptionOfType(SkippedRecordsException.class).isThrownBy(() -> write(writer, 2, 4))
			.withMessageContaining("would skip the records from offset 1 to 1");
		assertThat(writer.nextOffset(this.partition)).isEqualTo(1);
		write(writer, 0, 4);
		assertHistory("c1", "c2", "c3", "c4");
	}

	@Test
	void storesAnUnknownTypeAndCountsItByItsFlag() throws Exception {
		append(message("c1"));
		this.log.append(this.partition, PersistenceFixture.later(this.room, "c2", EventRecord.COUNTS)).join();
		this.log.append(this.partition, PersistenceFixture.later(this.room, "c3", EventRecord.CHANGES)).join();
		append(message("c4"));
		write(this.fixture.writer(this.log), 0, 4);
		List<StoredEvent> history = this.fixture.history(this.room);
		assertThat(history).extracting(StoredEvent::number).containsExactly(1L, 2L, 2L, 3L);
		assertThat(history).extracting((event) -> Positions.offset(event.prev())).containsExactly(0L, 0L, 1L, 2L);
		assertThat(history.get(1).record().type().wireName()).isEqualTo("poll.opened");
		assertThat(new String(history.get(1).json(), java.nio.charset.StandardCharsets.UTF_8))
			.startsWith("{\"type\":\"poll.opened\"")
			.endsWith(",\"number\":2,\"question\":\"Lunch?\"}");
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@Test
	void stopsBeforeARecordThatOnlyANewerBuildMayRead() throws Exception {
		append(message("c1"), message("c2"), message("c3"));
		this.log.append(this.partition, PersistenceFixture.later(this.room, "c4", EventRecord.STOP)).join();
		append(message("c5"));
		EventWriter writer = this.fixture.writer(this.log);
		assertThatExceptionOfType(NewerRecordException.class).isThrownBy(() -> write(writer, 0, 5));
		assertHistory("c1", "c2", "c3");
		assertThat(writer.nextOffset(this.partition)).isEqualTo(3);
		assertThatExceptionOfType(NewerRecordException.class).isThrownBy(() -> write(writer, 3, 5));
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@Test
	void parksUnreadableRecords() throws Exception {
		append(message("c1"));
		this.log.append(this.partition, new byte[] { 99, 1, 2 }).join();
		append(message("c2"));
		write(this.fixture.writer(this.log), 0, 3);
		assertHistory("c1", "c2");
		assertThat(this.fixture.parkedReasons(this.log)).containsExactly("Unknown record version 99");
	}

	@Test
	void parksTheRowsThatTheDatabaseRefusesAndNoOthers() throws Exception {
		for (int i = 0; i < 40; i++) {
			append((i % 13 == 7) ? PersistenceFixture.message(this.room, "x".repeat(300), "c" + i) : message("c" + i));
		}
		write(this.fixture.writer(this.log), 0, 40);
		assertHistory(
				IntStream.range(0, 40).filter((i) -> i % 13 != 7).mapToObj((i) -> "c" + i).toArray(String[]::new));
		assertThat(this.fixture.parkedReasons(this.log)).hasSize(3).allMatch((reason) -> reason.contains("too long"));
	}

	@Test
	void storesGoodRowsOnceWhenABatchHasDuplicatesAndARefusedRow() throws Exception {
		append(message("c1"), message("c2"));
		EventWriter writer = this.fixture.writer(this.log);
		write(writer, 0, 2);
		append(message("c1"), PersistenceFixture.message(this.room, "x".repeat(300), "c3"), message("c2"),
				message("c4"));
		write(writer, 2, 6);
		assertHistory("c1", "c2", "c4");
		assertThat(this.fixture.parkedReasons(this.log)).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3, 4, 5, 6, 7, 8 })
	void countsUnreadMessagesByArithmetic(long seed) throws Exception {
		Random random = new Random(seed);
		append(IntStream.range(0, 200)
			.mapToObj((i) -> (random.nextInt(3) == 0) ? PersistenceFixture.joined(this.room)
					: message("c" + random.nextInt(150)))
			.toArray(EventRecord[]::new));
		EventWriter writer = this.fixture.writer(this.log);
		for (int from = 0; from < 200;) {
			int to = Math.min(200, from + 1 + random.nextInt(60));
			write(random.nextBoolean() ? writer : this.fixture.writer(this.log), from, to);
			from = to;
		}
		long epoch = Positions.epoch(this.events.head(this.room).position());
		List<LogRecord> records = PersistenceFixture.records(this.log, this.room);
		for (int offset = 0; offset < 200; offset += 7) {
			long read = Positions.of(epoch, offset);
			long unread = this.events.head(this.room).number() - this.events.numberAt(this.room, read);
			assertThat(unread).isEqualTo(firstMessages(records, 200) - firstMessages(records, offset + 1));
		}
	}

	/**
	 * Returns the number of distinct messages among the first records, counted
	 * independently.
	 */
	private static int firstMessages(List<LogRecord> records, int count) {
		Set<String> clientIds = new HashSet<>();
		records.stream()
			.limit(count)
			.map((record) -> EventRecord.decode(record.data()))
			.filter((event) -> event.type().isMessage())
			.forEach((event) -> clientIds.add(event.clientId()));
		return clientIds.size();
	}

	private EventRecord message(String clientId) {
		return PersistenceFixture.message(this.room, "anna", clientId);
	}

	private void append(EventRecord... events) {
		PersistenceFixture.append(this.log, events);
	}

	private void write(EventWriter writer, int from, int to) throws InterruptedException {
		writer.handle(this.partition, PersistenceFixture.records(this.log, this.room).subList(from, to));
	}

	/**
	 * Asserts that the history consists of these messages in this order, linked and
	 * numbered without gaps.
	 */
	private void assertHistory(String... clientIds) {
		List<StoredEvent> history = this.fixture.history(this.room);
		assertThat(history).extracting((event) -> event.record().clientId()).containsExactly(clientIds);
		long prev = Positions.NONE;
		long number = 0;
		for (StoredEvent event : history) {
			assertThat(event.prev()).isEqualTo(prev);
			assertThat(event.number()).isEqualTo(++number);
			prev = event.position();
		}
		assertThat(this.events.head(this.room)).isEqualTo(new RoomHead(prev, number));
	}

}
