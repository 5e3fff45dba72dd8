package io.parley.store.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import io.parley.events.EventRecord;
import io.parley.events.NewerRecordException;
import io.parley.events.Positions;
import io.parley.events.UnreadableEventException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Finds out, when a new epoch begins, which records of a partition this database has
 * already stored from the previous log. For example, a log that has lost the end of one
 * partition still holds all records of the others. The readers then continue after these
 * records instead of reading them again.
 */
class SurvivingRecords {

	private static final Logger logger = LoggerFactory.getLogger(SurvivingRecords.class);

	/**
	 * More than one, because the last record may have no row: it may repeat a message or
	 * be parked.
	 */
	private static final int RECORDS_COMPARED = 200;

	private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);

	private final JdbcTemplate jdbc;

	SurvivingRecords(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Moves the offsets of the readers of a partition into the new epoch, as far as the
	 * records are the same. Joins the caller's transaction.
	 */
	void carryOver(RoomLog log, int partition, long epoch) {
		Optional<Place> stored = stored(partition);
		if (stored.isEmpty()) {
			return;
		}
		long previousEpoch = stored.get().epoch;
		long below = Math.min(stored.get().next, log.endOffset(partition));
		if (isStored(lastBelow(log, partition, below), previousEpoch)) {
			this.jdbc.update("INSERT INTO log_epoch_start (epoch, partition_no, first_offset) VALUES (?, ?, ?)", epoch,
					partition, below);
			this.jdbc.update(
					"""
							UPDATE reader_offset SET epoch = ?, next_offset = CASE WHEN next_offset < ? THEN next_offset ELSE ? END
							WHERE partition_no = ? AND epoch = ?""",
					epoch, below, below, partition, previousEpoch);
			logger.info("Partition {} of the log continues at offset {} in epoch {}", partition, below, epoch);
		}
	}

	private Optional<Place> stored(int partition) {
		return this.jdbc
			.query("SELECT epoch, next_offset FROM reader_offset WHERE reader = ? AND partition_no = ?",
					(row, index) -> new Place(row.getLong(1), row.getLong(2)), ReaderOffsets.PERSISTENCE, partition)
			.stream()
			.findFirst();
	}

	/**
	 * Returns whether the newest record that has a row is the one that was stored there.
	 */
	private boolean isStored(List<LogRecord> records, long epoch) {
		for (LogRecord record : records.reversed()) {
			Optional<Boolean> same = isStored(record, epoch);
			if (same.isPresent()) {
				return same.get();
			}
		}
		return false;
	}

	/**
	 * Returns whether the row at this position holds this record; empty if there is no
	 * row or the record is unreadable.
	 */
	private Optional<Boolean> isStored(LogRecord record, long epoch) {
		try {
			EventRecord event = EventRecord.decode(record.data());
			return this.jdbc
				.queryForList("SELECT event_id FROM room_event WHERE room_id = ? AND position = ?", String.class,
						event.room(), Positions.of(epoch, record.offset()))
				.stream()
				.findFirst()
				.map(event.id()::equals);
		}
		catch (UnreadableEventException | NewerRecordException ex) {
			return Optional.empty();
		}
	}

	private static List<LogRecord> lastBelow(RoomLog log, int partition, long below) {
		long from = Math.max(log.startOffset(partition), below - RECORDS_COMPARED);
		List<LogRecord> records = new ArrayList<>();
		long deadline = System.nanoTime() + READ_TIMEOUT.toNanos();
		try (LogReader reader = log.follow(partition, from)) {
			while (from < below && (records.isEmpty() || records.getLast().offset() < below - 1)) {
				if (System.nanoTime() > deadline) {
					throw new LogUnavailableException(
							"Partition " + partition + " of the log did not return all records below " + below
									+ " in time: check the log, then restart this process");
				}
				records.addAll(reader.poll(RECORDS_COMPARED, Duration.ofSeconds(1)));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LogUnavailableException("Interrupted while the log was compared with the database", ex);
		}
		return records.stream().filter((record) -> record.offset() < below).toList();
	}

	private record Place(long epoch, long next) {
	}

}
