package io.parley.persistence;

import io.parley.log.RoomLog;
import io.parley.log.worker.LogWorker;
import io.parley.log.worker.ReaderSettings;
import io.parley.store.log.ReaderOffsets;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Stores every event of the room log in the database exactly once, in the order of the
 * log. While the database is down it retries. Records that can't be stored are parked
 * with the reason.
 */
public class PersistenceWorker extends LogWorker {

	/** The name of this worker among the readers of the log. */
	public static final String READER = ReaderOffsets.PERSISTENCE;

	static final int MAX_BATCH = 1000;

	PersistenceWorker(RoomLog log, EventWriter writer, ReaderSettings settings, ApplicationEventPublisher events) {
		super(READER, log, writer, settings, events);
	}

}
