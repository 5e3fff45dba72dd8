package io.parley.loadtest.session;

/**
 * Receives the events of a session. {@link #ended} may be called on any thread, the other
 * methods on the event loop of the session.
 */
public interface SessionListener {

	/**
	 * Called when the server has turned the session away with a 503.
	 * @param before number of earlier times for this session
	 * @return whether the session will be opened again
	 */
	default boolean turnedAway(Session session, int before) {
		return false;
	}

	/**
	 * Called when the subscription is confirmed.
	 */
	default void live(Session session) {
	}

	/**
	 * Called when the session has ended for any reason.
	 */
	default void ended(Session session) {
	}

}
