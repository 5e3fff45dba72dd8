package io.parley.loadtest;

/** What a trial wants to hear of a session, told on its event loop. */
interface SessionListener {

	/**
	 * The server has no place now.
	 * @param before how often that happened to this session before
	 * @return whether the session will be opened again
	 */
	default boolean turnedAway(Session session, int before) {
		return false;
	}

	/** The subscription is confirmed. */
	default void live(Session session) {
	}

	/** It is over, in whatever way. */
	default void ended(Session session) {
	}

}
