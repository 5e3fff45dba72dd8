package io.parley.notification;

import io.parley.log.RoomLog;
import io.parley.log.worker.LogWorker;
import io.parley.log.worker.ReaderSettings;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Pushes each message of the room log to the members who are away, at least once. When
 * the provider or the database is down it waits: nobody else waits for it.
 */
public class NotificationWorker extends LogWorker {

	/** Its name among the readers of the log. */
	public static final String READER = "notification";

	static final int MAX_BATCH = 100;

	NotificationWorker(RoomLog log, MessageReader messages, ReaderSettings settings, ApplicationEventPublisher events) {
		super(READER, log, messages, settings, events);
	}

}
