package io.parley.notification;

import io.parley.log.RoomLog;
import io.parley.log.worker.LogWorker;
import io.parley.log.worker.ReaderSettings;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Reads the room log and plans whom to tell of each message, exactly once. It reads a
 * little behind, so that live sessions come first; {@link PushDispatcher} does the rest.
 */
public class NotificationWorker extends LogWorker {

	/** Its name among the readers of the log. */
	public static final String READER = "notification";

	static final int MAX_BATCH = 500;

	private final MessageReader messages;

	NotificationWorker(RoomLog log, MessageReader messages, ReaderSettings settings, ApplicationEventPublisher events) {
		super(READER, log, messages, settings, events);
		this.messages = messages;
	}

	@Override
	public void start() {
		this.messages.start();
		super.start();
	}

	@Override
	public void stop() {
		this.messages.stop();
		super.stop();
	}

}
