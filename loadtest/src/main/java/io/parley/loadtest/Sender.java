package io.parley.loadtest;

/** Somebody who sends a message to a room, with a receipt. */
interface Sender {

	/** Takes it and does not wait for the server. */
	void send(LoadMessage message);

}
