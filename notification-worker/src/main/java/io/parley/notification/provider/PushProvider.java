package io.parley.notification.provider;

import java.util.List;

/** Delivers notifications to devices. Safe for use by many threads. */
public interface PushProvider {

	/** The maximum number of messages of one call of {@link #push}. */
	int MAX_BATCH = 500;

	/**
	 * Sends each message once and waits for the answers. Does not retry. The timeouts of
	 * the provider limit how long this takes.
	 * @param messages from 1 to {@link #MAX_BATCH}
	 * @return one answer for each message, in the same order; failures, of one message or
	 * all, are returned as answers too
	 */
	List<PushAnswer> push(List<PushMessage> messages);

}
