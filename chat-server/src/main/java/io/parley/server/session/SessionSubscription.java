package io.parley.server.session;

import io.parley.events.Destination;

/** What a session has subscribed to under one STOMP subscription id. */
public interface SessionSubscription {

	Destination destination();

	/** Nothing is delivered any more once this returns. */
	void end();

	/**
	 * There is space again for frames after {@link ChatSession#offer} has refused one.
	 */
	default void spaceAgain() {
	}

}
