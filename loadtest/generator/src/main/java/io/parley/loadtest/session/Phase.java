package io.parley.loadtest.session;

/**
 * The phases of a session, in order.
 */
public enum Phase {

	OPENING, CONNECTING, SUBSCRIBING, LIVE, LEAVING, CLOSED

}
