package io.parley.persistence;

import io.parley.log.RoomLog;
import io.parley.log.worker.LogWorker;
import io.parley.log.worker.ReaderSettings;
import io.parley.store.log.ReaderOffsets;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Stores every event of the room log in the database exactly once, in the order of the
 * log. When the database is down it waits; what can't be stored is parked with the
 * reason.
 */
public class PersistenceWorker extends LogWorker {

	/** Its name among the readers of the log. */
	public static final String READER = ReaderOffsets.PERSISTENCE;

	static final int MAX_BATCH = 1000;

	PersistenceWorker(RoomLog log, EventWriter writer, ReaderSettings settings, ApplicationEventPublisher events) {
		super(READER, log, writer, settings, events);
	}

}
