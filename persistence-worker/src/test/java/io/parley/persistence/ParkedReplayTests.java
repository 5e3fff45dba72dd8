package io.parley.persistence;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.parley.events.EventRecord;
import io.parley.events.RoomNames;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.StoredEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * After a replay, the history equals that of a worker that could read everything at once.
 */
@SpringBootTest(classes = WorkerApplication.class, properties = "spring.datasource.url=jdbc:h2:mem:replay")
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
class ParkedReplayTests {

	private static final int RECORDS = 12;

	private final PersistenceFixture fixture;

	private final RoomEventRepository events;

	private final JdbcTemplate jdbc;

	private final RoomLog log;

	private final String room = PersistenceFixture.room();

	private final int partition;

	ParkedReplayTests(PersistenceFixture fixture, RoomEventRepository events, JdbcTemplate jdbc) {
		this.fixture = fixture;
		this.events = events;
		this.jdbc = jdbc;
		this.log = fixture.log();
		this.partition = RoomNames.partition(this.room, this.log.partitions());
	}

	@AfterEach
	void close() {
		this.log.close();
		this.jdbc.update("DELETE FROM parked_event");
	}

	@ParameterizedTest
	@ValueSource(strings = { "0", "11", "0,1,2", "3,4,9", "9,10,11", "0,1,2,3,4,5,6,7,8,9,10,11" })
	void restoresTheHistoryAsIfNothingHadBeenParked(String parked) throws Exception {
		List<LogRecord> records = appendAll();
		EventWriter writer = this.fixture.writer(this.log);
		writer.handle(this.partition, records);
		List<String> whole = history();
		long head = this.events.head(this.room).number();
		this.fixture.forget(this.log, List.of(this.room));
		EventWriter earlier = this.fixture.writer(this.log);
		Set<Long> unknown = Stream.of(parked.split(",")).map(Long::valueOf).collect(Collectors.toSet());
		for (LogRecord record : records) {
			if (unknown.contains(record.offset())) {
				this.fixture.parkBy(earlier, record);
			}
			else {
				earlier.handle(this.partition, List.of(record));
			}
		}
		assertThat(this.fixture.replay(this.log).run())
			.isEqualTo(new ParkedReplay.Result(unknown.size(), 0, List.of()));
		assertThat(history()).isEqualTo(whole);
		assertThat(this.events.head(this.room).number()).isEqualTo(head);
		assertThat(this.fixture.replay(this.log).run()).isEqualTo(new ParkedReplay.Result(0, 0, List.of()));
		PersistenceFixture.append(this.log, PersistenceFixture.message(this.room, "anna", "after"));
		earlier.handle(this.partition, PersistenceFixture.records(this.log, this.room).subList(RECORDS, RECORDS + 1));
		assertThat(this.fixture.history(this.room).getLast().number()).isEqualTo(head + 1);
	}

	private List<LogRecord> appendAll() throws Exception {
		for (int i = 0; i < RECORDS; i++) {
			this.log
				.append(this.partition,
						(i % 3 == 2) ? PersistenceFixture.later(this.room, "c" + i, 0)
								: PersistenceFixture.later(this.room, "c" + i, EventRecord.COUNTS))
				.join();
		}
		return PersistenceFixture.records(this.log, this.room);
	}

	@Test
	void storesARetriedMessageOnce() throws Exception {
		PersistenceFixture.append(this.log, PersistenceFixture.message(this.room, "anna", "c1"),
				PersistenceFixture.message(this.room, "anna", "c1"));
		List<LogRecord> records = PersistenceFixture.records(this.log, this.room);
		EventWriter writer = this.fixture.writer(this.log);
		this.fixture.parkBy(writer, records.getFirst());
		writer.handle(this.partition, records.subList(1, 2));
		List<String> before = history();
		assertThat(this.fixture.replay(this.log).run()).isEqualTo(new ParkedReplay.Result(0, 1, List.of()));
		assertThat(history()).isEqualTo(before).hasSize(1);
		assertThat(this.fixture.parkedReasons(this.log)).isEmpty();
	}

	@Test
	void keepsUnreadableRecordsWithTheirReason() throws Exception {
		this.log.append(this.partition, new byte[] { 99, 1, 2 }).join();
		PersistenceFixture.append(this.log, PersistenceFixture.message(this.room, "x".repeat(65), "c1"),
				PersistenceFixture.message(this.room, "anna", "c2"));
		EventWriter writer = this.fixture.writer(this.log);
		writer.handle(this.partition, PersistenceFixture.records(this.log, this.room));
		List<String> reasons = this.fixture.parkedReasons(this.log);
		assertThat(reasons).hasSize(2);
		ParkedReplay.Result result = this.fixture.replay(this.log).run();
		assertThat(result.stored()).isZero();
		assertThat(result.remaining()).extracting(ParkedReplay.Remaining::offset).containsExactly(0L, 1L);
		assertThat(result.remaining().getFirst().reason()).isEqualTo("Unknown record version 99");
		assertThat(this.fixture.parkedReasons(this.log)).isEqualTo(reasons);
		assertThat(history()).hasSize(1);
	}

	/** More than one page of parked records, from several rooms. */
	@Test
	void replaysAllPages() throws Exception {
		List<String> rooms = IntStream.range(0, 5).mapToObj((i) -> PersistenceFixture.room()).toList();
		List<LogRecord> parked = new ArrayList<>();
		for (int i = 0; i < 250; i++) {
			PersistenceFixture.append(this.log, PersistenceFixture.message(rooms.get(i % 5), "anna", "c" + i));
		}
		for (int p = 0; p < this.log.partitions(); p++) {
			try (io.parley.log.LogReader reader = this.log.follow(p, 0)) {
				while (parked.size() < total(p)) {
					parked.addAll(reader.poll(1_000, java.time.Duration.ofSeconds(5)));
				}
			}
		}
		parked.forEach((record) -> this.fixture.park(this.log, record));
		assertThat(this.fixture.replay(this.log).run()).isEqualTo(new ParkedReplay.Result(250, 0, List.of()));
		for (String one : rooms) {
			assertThat(this.fixture.history(one)).extracting(StoredEvent::number)
				.isEqualTo(LongStream.rangeClosed(1, 50).boxed().toList());
		}
	}

	/** Returns the number of records of all partitions up to and including this one. */
	private long total(int partition) {
		return IntStream.rangeClosed(0, partition).mapToLong(this.log::endOffset).sum();
	}

	private List<String> history() {
		return this.fixture.history(this.room)
			.stream()
			.map((event) -> new String(event.json(), java.nio.charset.StandardCharsets.UTF_8))
			.toList();
	}

}
