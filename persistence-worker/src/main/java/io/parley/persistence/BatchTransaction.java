package io.parley.persistence;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.EventRecord;
import io.parley.events.NewerRecordException;
import io.parley.events.Positions;
import io.parley.events.UnreadableEventException;
import io.parley.log.LogRecord;
import io.parley.log.worker.BatchOrder;
import io.parley.log.worker.SkippedRecordsException;
import io.parley.store.event.RoomHead;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;

/**
 * Writes a batch of one partition. Must be called inside a transaction: the rows, the
 * heads and the offset are committed together or not at all.
 */
class BatchTransaction {

	private final BatchOrder order = new BatchOrder(PersistenceWorker.READER);

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	private final EventTables tables;

	private final BatchChanges changes;

	private final long epoch;

	BatchTransaction(ReaderOffsets offsets, ParkedEvents parked, EventTables tables, long epoch) {
		this.offsets = offsets;
		this.parked = parked;
		this.tables = tables;
		this.changes = new BatchChanges(tables);
		this.epoch = epoch;
	}

	/** Returns the checker of the offsets of batches. */
	BatchOrder order() {
		return this.order;
	}

	/**
	 * The content of the transaction.
	 *
	 * @param from the stored offset that the transaction found
	 * @param events the events that it stores
	 */
	record Written(long from, long nextOffset, List<NumberedRecord> events, Map<String, RoomHead> heads) {
	}

	/**
	 * Writes the records of a batch that are not written yet.
	 * @param lookUp whether to look for messages that are stored already; without it they
	 * violate the unique key
	 * @throws SkippedRecordsException if the batch begins above the stored offset
	 * @throws NewerRecordException if only a newer build can read one of the records
	 */
	Written write(int partition, List<LogRecord> batch, HeadCache cache, boolean lookUp) {
		long stored = lock(partition, batch.getFirst());
		List<LogRecord> fresh = batch.stream().filter((record) -> record.offset() >= stored).toList();
		if (fresh.isEmpty()) {
			return new Written(stored, stored, List.of(), Map.of());
		}
		Map<Long, EventRecord> events = decode(fresh);
		Set<String> rooms = events.values().stream().map(EventRecord::room).collect(Collectors.toSet());
		cache.clearIfRewritten(this.tables.rewrites(partition));
		Map<String, RoomHead> heads = cache.get(stored, rooms);
		Numbering numbering = new Numbering(heads, lookUp ? this.tables.stored(keys(events)) : Set.of());
		events.forEach((offset, event) -> numbering.add(Positions.of(this.epoch, offset), event));
		this.tables.insert(numbering.events());
		numbering.add(this.changes.apply(numbering.events()));
		this.tables.save(numbering.newHeads(), heads.keySet());
		return commit(partition, stored, fresh.getLast().offset() + 1, numbering.events(), numbering.newHeads());
	}

	/** Returns the stored offset and locks it until the transaction ends. */
	private long lock(int partition, LogRecord first) {
		long stored = this.offsets.lock(PersistenceWorker.READER, partition, this.epoch);
		this.order.check(partition, stored, first.offset());
		return stored;
	}

	private static List<ClientKey> keys(Map<Long, EventRecord> events) {
		return events.values().stream().map(ClientKey::of).distinct().toList();
	}

	private Map<Long, EventRecord> decode(List<LogRecord> records) {
		Map<Long, EventRecord> events = new LinkedHashMap<>();
		for (LogRecord record : records) {
			try {
				events.put(record.offset(), EventRecord.decode(record.data()));
			}
			catch (UnreadableEventException ex) {
				park(record, String.valueOf(ex.getMessage()));
			}
		}
		return events;
	}

	/** Parks a record that the database rejects, and continues after it. */
	Written park(int partition, LogRecord record, String reason) {
		long stored = lock(partition, record);
		if (record.offset() < stored) {
			return new Written(stored, stored, List.of(), Map.of());
		}
		park(record, reason);
		return commit(partition, stored, record.offset() + 1, List.of(), Map.of());
	}

	private void park(LogRecord record, String reason) {
		this.parked.park(PersistenceWorker.READER, record.partition(), this.epoch, record.offset(), reason,
				record.data());
	}

	private Written commit(int partition, long from, long nextOffset, List<NumberedRecord> events,
			Map<String, RoomHead> heads) {
		this.offsets.commit(PersistenceWorker.READER, partition, this.epoch, nextOffset);
		return new Written(from, nextOffset, events, heads);
	}

}
