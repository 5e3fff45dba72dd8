package io.parley.loadtest.session;

import io.parley.loadtest.stomp.LoadMessage;

/**
 * Sends messages to a room and requests a receipt for each if the server supports it.
 */
public interface Sender {

	/**
	 * Sends the message without waiting for the server.
	 */
	void send(LoadMessage message);

}
