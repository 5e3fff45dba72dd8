package io.parley.store.log;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import io.parley.events.EventRecord;
import io.parley.events.MemberJoined;
import io.parley.events.Positions;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import io.parley.store.StoreTest;
import io.parley.store.UtcTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

@StoreTest
class LogEpochsTests {

	private static final int PARTITIONS = 2;

	private static final String OTHER_READER = "notification";

	private final LogEpochs epochs;

	private final ReaderOffsets offsets;

	private final JdbcTemplate jdbc;

	private final String room = UUID.randomUUID().toString();

	@TempDir
	private Path directory;

	LogEpochsTests(LogEpochs epochs, ReaderOffsets offsets, JdbcTemplate jdbc) {
		this.epochs = epochs;
		this.offsets = offsets;
		this.jdbc = jdbc;
		jdbc.update("DELETE FROM log_epoch");
		jdbc.update("DELETE FROM log_epoch_start");
		jdbc.update("DELETE FROM reader_offset");
	}

	@Test
	void increasesWithEachNewLog() {
		try (RoomLog first = log("first"); RoomLog second = log("second")) {
			assertThat(this.epochs.current(first)).isEqualTo(1);
			assertThat(this.epochs.current(first)).isEqualTo(1);
			assertThat(this.epochs.current(second)).isEqualTo(2);
			assertThat(this.epochs.current(first)).isEqualTo(3);
		}
	}

	@Test
	void increasesWhenTheNumberOfPartitionsChanges() {
		try (RoomLog log = log("log")) {
			assertThat(this.epochs.current(log)).isEqualTo(1);
			this.jdbc.update("UPDATE log_epoch SET partitions = 8");
			assertThat(this.epochs.current(log)).isEqualTo(2);
		}
	}

	@Test
	void isTheSameForProcessesThatStartAtOnce() {
		Set<Long> seen = new HashSet<>();
		try (RoomLog log = log("log"); ExecutorService processes = Executors.newFixedThreadPool(8)) {
			List<CompletableFuture<Long>> asked = IntStream.range(0, 32)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> this.epochs.current(log), processes))
				.toList();
			asked.forEach((epoch) -> seen.add(epoch.join()));
		}
		assertThat(seen).containsExactly(1L);
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM log_epoch", Integer.class)).isEqualTo(1);
	}

	@Test
	void refusesALogThatEndsBeforeTheStoredOffset() {
		try (RoomLog log = log("log")) {
			this.epochs.current(log);
			append(log, 3);
			this.offsets.commit(ReaderOffsets.PERSISTENCE, 1, 1, 3);
			assertThat(this.epochs.current(log)).isEqualTo(1);
			this.offsets.commit(OTHER_READER, 1, 1, 4);
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> this.epochs.current(log))
				.withMessageContaining("partition 1 ends at offset 3")
				.withMessageContaining("stored it up to 4")
				.withMessageContaining("./chat restore --new-epoch");
		}
	}

	@Test
	void refusesALogThatBeginsAfterTheStoredOffsetUnlessAccepted() {
		try (RoomLog log = log("log")) {
			this.epochs.current(log);
			append(log, 5);
			log.trim(1, 3);
			log.trim(1, 3);
			assertThat(log.startOffset(1)).isEqualTo(3);
			this.offsets.commit(ReaderOffsets.PERSISTENCE, 1, 1, 2);
			this.offsets.commit(OTHER_READER, 1, 1, 0);
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> this.epochs.current(log))
				.withMessageContaining("begins at offset 3")
				.withMessageContaining("1 records are missing")
				.withMessageContaining("--chat.log.accepted-gaps=1:2-3");
			new LogComparison(this.jdbc, Set.of("1:2-3")).check(log, 1);
			this.offsets.commit(ReaderOffsets.PERSISTENCE, 1, 1, 3);
			assertThat(this.epochs.current(log)).isEqualTo(1);
		}
	}

	@Test
	void movesOffsetsPastStoredRecordsInARestoredLog() {
		try (RoomLog first = log("first"); RoomLog log = log("log")) {
			assertThat(this.epochs.current(first)).isEqualTo(1);
			append(log, 5).forEach((event) -> store(event, 1));
			this.offsets.commit(ReaderOffsets.PERSISTENCE, 1, 1, 5);
			this.offsets.commit(OTHER_READER, 1, 1, 2);
			append(log, 3);
			assertThat(this.epochs.current(log)).isEqualTo(2);
			assertThat(this.epochs.firstOffset(1, 2)).isEqualTo(5);
			assertThat(this.offsets.next(ReaderOffsets.PERSISTENCE, 1, 2)).isEqualTo(5);
			assertThat(this.offsets.next(OTHER_READER, 1, 2)).isEqualTo(2);
		}
	}

	@Test
	void movesOffsetsToTheEndOfALogThatHasLostItsLastRecords() {
		try (RoomLog first = log("first"); RoomLog log = log("log")) {
			this.epochs.current(first);
			append(log, 5).forEach((event) -> store(event, 1));
			this.offsets.commit(ReaderOffsets.PERSISTENCE, 1, 1, 9);
			this.offsets.commit(OTHER_READER, 1, 1, 9);
			assertThat(this.epochs.current(log)).isEqualTo(2);
			assertThat(this.offsets.next(ReaderOffsets.PERSISTENCE, 1, 2)).isEqualTo(5);
			assertThat(this.offsets.next(OTHER_READER, 1, 2)).isEqualTo(5);
		}
	}

	@Test
	void beginsAtTheStartOfALogWithOtherRecords() {
		try (RoomLog first = log("first"); RoomLog log = log("log")) {
			this.epochs.current(first);
			append(first, 5).forEach((event) -> store(event, 1));
			this.offsets.commit(ReaderOffsets.PERSISTENCE, 1, 1, 5);
			append(log, 7);
			assertThat(this.epochs.current(log)).isEqualTo(2);
			assertThat(this.epochs.firstOffset(1, 2)).isZero();
			assertThat(this.offsets.next(ReaderOffsets.PERSISTENCE, 1, 2)).isZero();
		}
	}

	private RoomLog log(String name) {
		return EmbeddedRoomLog
			.open(new EmbeddedLogSettings(this.directory.resolve(name), PARTITIONS, Duration.ZERO, 0));
	}

	/** Appends to partition 1. In a new log, the index in the list is the offset. */
	private List<Stored> append(RoomLog log, int count) {
		return IntStream.range(0, count).mapToObj((i) -> {
			EventRecord event = EventRecord
				.of(new MemberJoined(this.room, UUID.randomUUID().toString(), "anna", Instant.EPOCH, "bert"));
			return new Stored(log.append(1, event.encode()).join(), event);
		}).toList();
	}

	private void store(Stored stored, long epoch) {
		this.jdbc.update(
				"""
						INSERT INTO room_event (room_id, position, prev, number, type, event_id, sender, client_id, sent_at, body)
						VALUES (?, ?, 0, 0, 'member.joined', ?, 'anna', ?, ?, '{}')""",
				this.room, Positions.of(epoch, stored.offset), stored.event.id(), stored.event.id(), UtcTime.now());
	}

	private record Stored(long offset, EventRecord event) {
	}

}
