package io.parley.loadtest;

/**
 * Sends messages to a room and requests a receipt for each if the server supports it.
 */
interface Sender {

	/**
	 * Sends the message without waiting for the server.
	 */
	void send(LoadMessage message);

}
