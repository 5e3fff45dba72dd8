package io.parley.loadtest.study.transports;

/**
 * One client's connection. What arrives there goes to the {@link Tally} of its round; so
 * does its failure.
 */
interface Link {

	/**
	 * Sends the message with this sequence. May wait for the network, not for the answer.
	 */
	void send(int sequence) throws Exception;

	/** Whether the server has confirmed all that was sent, where it confirms. */
	default boolean isSettled() {
		return true;
	}

	void close() throws Exception;

}
