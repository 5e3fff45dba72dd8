package io.parley.server.session;

import io.parley.events.Destination;

/** A subscription of a session, under one STOMP subscription id. */
public interface SessionSubscription {

	Destination destination();

	/** Ends the subscription. Nothing is delivered after this method returns. */
	void end();

	/**
	 * Called when there is space for frames again after {@link ChatSession#offer} has
	 * rejected one.
	 */
	default void spaceAvailable() {
	}

}
