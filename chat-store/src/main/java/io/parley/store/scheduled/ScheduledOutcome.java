package io.parley.store.scheduled;

import java.time.Duration;

/** The result of sending a message that a server had claimed. */
public sealed interface ScheduledOutcome {

	/** The message as it was claimed. */
	ScheduledMessage message();

	/** It is in the log. */
	record Sent(ScheduledMessage message, long position) implements ScheduledOutcome {
	}

	/** It was refused for good. */
	record Failed(ScheduledMessage message, String code, String reason) implements ScheduledOutcome {
	}

	/**
	 * It is attempted again.
	 *
	 * @param after how long to wait
	 * @param mayBeSent whether it may be in the log
	 */
	record Retry(ScheduledMessage message, Duration after, boolean mayBeSent) implements ScheduledOutcome {
	}

}
