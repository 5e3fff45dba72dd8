package io.parley.persistence;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.NewerRecordException;
import io.parley.events.Positions;
import io.parley.events.RoomNames;
import io.parley.events.UnreadableEventException;
import io.parley.log.RoomLog;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ParkedEvents.Parked;
import io.parley.store.log.ReaderOffsets;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores parked records that can be read by now, each at its own position. May be
 * repeated, and may run in any process while the workers run: the workers of a partition
 * wait while a room of it is written. Records that still can't be stored stay parked.
 */
public class ParkedReplay {

	private static final int PAGE = 100;

	private final RoomLog log;

	private final long epoch;

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	private final RoomEventRepository events;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	ParkedReplay(RoomLog log, LogEpochs epochs, ReaderOffsets offsets, ParkedEvents parked, RoomEventRepository events,
			JdbcTemplate jdbc, PlatformTransactionManager transactions) {
		this.log = log;
		this.epoch = epochs.current(log);
		this.offsets = offsets;
		this.parked = parked;
		this.events = events;
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactions);
	}

	/**
	 * The result of a replay.
	 *
	 * @param stored the number of records that were added to the history
	 * @param known the number of records that the history already had
	 * @param remaining the records that stay parked
	 */
	public record Result(int stored, int known, List<Remaining> remaining) {
	}

	/**
	 * A record that stays parked.
	 *
	 * @param reason why it can't be stored now
	 */
	public record Remaining(int partition, long epoch, long offset, String reason) {
	}

	private record Readable(Parked parked, EventRecord event) {

		long position() {
			return Positions.of(this.parked.epoch(), this.parked.offset());
		}

	}

	/** The result of one transaction. */
	private record Room(int stored, int known, List<Remaining> remaining) {
	}

	/**
	 * Tries to store all parked records.
	 * @throws DataAccessException if the database fails; records that were already stored
	 * stay stored
	 */
	public synchronized Result run() {
		int stored = 0;
		int known = 0;
		List<Remaining> remaining = new ArrayList<>();
		List<Parked> page = this.parked.page(PersistenceWorker.READER, null, PAGE);
		while (!page.isEmpty()) {
			for (List<Readable> ofRoom : readable(page, remaining).values()) {
				Room room = this.transaction.execute((status) -> store(ofRoom));
				stored += room.stored();
				known += room.known();
				remaining.addAll(room.remaining());
			}
			page = this.parked.page(PersistenceWorker.READER, page.getLast(), PAGE);
		}
		return new Result(stored, known, remaining);
	}

	private static Map<String, List<Readable>> readable(List<Parked> page, List<Remaining> remaining) {
		Map<String, List<Readable>> rooms = new LinkedHashMap<>();
		for (Parked parked : page) {
			try {
				EventRecord event = EventRecord.decode(parked.data());
				rooms.computeIfAbsent(event.room(), (room) -> new ArrayList<>()).add(new Readable(parked, event));
			}
			catch (UnreadableEventException | NewerRecordException ex) {
				remaining.add(remaining(parked, ex));
			}
		}
		return rooms;
	}

	private Room store(List<Readable> records) {
		String room = records.getFirst().event().room();
		int partition = RoomNames.partition(room, this.log.partitions());
		this.offsets.lock(PersistenceWorker.READER, partition, this.epoch);
		HistoryInsertion history = new HistoryInsertion(this.jdbc, new EventTables(this.jdbc), room);
		RoomHead head = this.events.heads(List.of(room)).get(room);
		int stored = 0;
		List<Remaining> remaining = new ArrayList<>();
		for (Readable record : records) {
			try {
				stored += history.add(record.position(), record.event()) ? 1 : 0;
				this.parked.remove(PersistenceWorker.READER, record.parked());
			}
			catch (DataAccessException ex) {
				if (!PermanentFailures.isPermanent(ex)) {
					throw ex;
				}
				remaining.add(remaining(record.parked(), ex.getMostSpecificCause()));
			}
		}
		history.finish(partition, head);
		return new Room(stored, records.size() - stored - remaining.size(), remaining);
	}

	private static Remaining remaining(Parked parked, Throwable cause) {
		return new Remaining(parked.partition(), parked.epoch(), parked.offset(), String.valueOf(cause.getMessage()));
	}

}
