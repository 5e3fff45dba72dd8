package io.parley.persistence;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.parley.events.EventRecord;
import io.parley.events.NewerRecordException;
import io.parley.log.LogRecord;
import io.parley.log.worker.BatchHandler;
import io.parley.persistence.BatchTransaction.Written;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.log.ReaderOffsets;
import io.parley.trace.MessageTracer;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores batches, each in one transaction unless it is very large. It looks for events
 * that are already stored only after the database has rejected a batch because of a
 * duplicate key. A batch that is still rejected is halved until the rows that can't be
 * stored are isolated and parked. Any other failure is thrown, and the reader gets the
 * whole batch again.
 */
class EventWriter implements BatchHandler {

	private final TransactionTemplate transaction;

	private final BatchTransaction batches;

	private final ReaderOffsets offsets;

	private final RoomEventRepository events;

	private final long epoch;

	private final PersistenceListener listener;

	private final MessageTracer traces;

	private final Map<Integer, HeadCache> caches = new ConcurrentHashMap<>();

	EventWriter(TransactionTemplate transaction, BatchTransaction batches, ReaderOffsets offsets,
			RoomEventRepository events, long epoch, PersistenceListener listener, MessageTracer traces) {
		this.transaction = transaction;
		this.batches = batches;
		this.offsets = offsets;
		this.events = events;
		this.epoch = epoch;
		this.listener = listener;
		this.traces = traces;
	}

	@Override
	public long nextOffset(int partition) {
		long next = this.offsets.next(PersistenceWorker.READER, partition, this.epoch);
		this.batches.order().begin(partition, next);
		return next;
	}

	@Override
	public @Nullable Instant writtenAt(LogRecord record) {
		return EventRecord.sentAt(record.data());
	}

	@Override
	public void handle(int partition, List<LogRecord> batch) {
		BatchSplitter.split(batch).forEach((part) -> storeOrPark(partition, part));
	}

	private void storeOrPark(int partition, List<LogRecord> batch) {
		try {
			tryToStore(partition, batch);
		}
		catch (NewerRecordException ex) {
			if (batch.size() == 1) {
				throw ex;
			}
			// Stores the records before the one that this build can't read.
			storeHalves(partition, batch);
		}
	}

	private void tryToStore(int partition, List<LogRecord> batch) {
		DataAccessException failure = store(partition, batch, false);
		if (failure instanceof DuplicateKeyException) {
			failure = store(partition, batch, true);
		}
		if (failure == null) {
			return;
		}
		if (batch.size() == 1) {
			park(partition, batch.getFirst(), failure);
			return;
		}
		storeHalves(partition, batch);
	}

	private void storeHalves(int partition, List<LogRecord> batch) {
		int middle = batch.size() / 2;
		storeOrPark(partition, batch.subList(0, middle));
		storeOrPark(partition, batch.subList(middle, batch.size()));
	}

	/** Returns null, or the failure with which the database rejects these rows. */
	private @Nullable DataAccessException store(int partition, List<LogRecord> batch, boolean lookUp) {
		HeadCache cache = cache(partition);
		try {
			commit(partition, () -> this.batches.write(partition, batch, cache, lookUp));
			return null;
		}
		catch (DataAccessException ex) {
			if (PermanentFailures.isPermanent(ex)) {
				return ex;
			}
			throw ex;
		}
	}

	private void park(int partition, LogRecord record, DataAccessException failure) {
		String reason = String.valueOf(failure.getMostSpecificCause().getMessage());
		commit(partition, () -> this.batches.park(partition, record, reason));
	}

	private void commit(int partition, Supplier<Written> work) {
		HeadCache cache = cache(partition);
		Instant started = Instant.now();
		try {
			Written written = this.transaction.execute((status) -> work.get());
			this.batches.order().stored(partition);
			cache.committed(written.from(), written.nextOffset(), written.heads());
			this.listener.onPersisted(partition, written.nextOffset());
			trace(written.events(), started);
		}
		catch (RuntimeException ex) {
			cache.clear();
			throw ex;
		}
	}

	private void trace(List<NumberedRecord> stored, Instant started) {
		if (this.traces.isOn()) {
			stored.forEach((row) -> this.traces.stored(row.event(), row.position(), started, stored.size()));
		}
	}

	private HeadCache cache(int partition) {
		return this.caches.computeIfAbsent(partition, (key) -> new HeadCache(this.events));
	}

}
