package io.parley.notification;

import io.parley.log.RoomLog;
import io.parley.log.worker.LogWorker;
import io.parley.log.worker.ReaderSettings;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Reads the room log and plans, exactly once, which users to notify of each message. It
 * reads with a short delay, so that live sessions get messages first.
 * {@link PushDispatcher} decides and sends the pushes.
 */
public class NotificationWorker extends LogWorker {

	/** The name of this worker among the readers of the log. */
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
