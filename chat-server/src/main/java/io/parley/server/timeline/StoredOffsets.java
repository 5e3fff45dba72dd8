package io.parley.server.timeline;

import io.parley.persistence.PersistenceListener;
import io.parley.persistence.PersistenceWorker;
import io.parley.store.log.NewerEpochException;
import io.parley.store.log.ReaderOffsets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tells the tail how far the log is stored, so that no request queries it: at once if the
 * persistence-worker runs in this process, else once a second. What the tail knows may be
 * older than what the database has, never newer.
 */
@Component
class StoredOffsets implements PersistenceListener {

	private static final Logger log = LoggerFactory.getLogger(StoredOffsets.class);

	private final Tail tail;

	private final ReaderOffsets offsets;

	private final PositionConverter positions;

	StoredOffsets(Tail tail, ReaderOffsets offsets, PositionConverter positions) {
		this.tail = tail;
		this.offsets = offsets;
		this.positions = positions;
	}

	@Override
	public void onPersisted(int partition, long nextOffset) {
		this.tail.stored(partition, nextOffset);
	}

	@Scheduled(fixedDelay = 1_000)
	void refresh() {
		try {
			this.offsets.next(PersistenceWorker.READER, this.positions.epoch()).forEach(this.tail::stored);
		}
		catch (DataAccessException | NewerEpochException ex) {
			log.debug("The stored offsets are still those of the last refresh", ex);
		}
	}

}
