package io.parley.notification.provider;

import java.util.List;

/** Brings notifications to devices. May be used by several threads. */
public interface PushProvider {

	/** How many messages {@link #push} takes at once. */
	int MAX_BATCH = 500;

	/**
	 * Hands over each message once, and waits for the answers; the provider does not try
	 * again by itself. How long it waits at the most is bounded by its timeouts.
	 * @param messages from 1 to {@link #MAX_BATCH}
	 * @return an answer for each message, in the same order; a failure of one, or of all,
	 * is an answer too
	 */
	List<PushAnswer> push(List<PushMessage> messages);

}
