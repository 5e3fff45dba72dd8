package io.parley.loadtest.study.transports;

/**
 * One client's connection. It passes deliveries and failures to the {@link Tally} of its
 * round.
 */
interface Link {

	/**
	 * Sends the message with this sequence. May block on the network, but does not wait
	 * for the answer.
	 */
	void send(int sequence) throws Exception;

	/**
	 * Returns whether the server has confirmed all sent messages; true for transports
	 * without confirmations.
	 */
	default boolean isSettled() {
		return true;
	}

	void close() throws Exception;

}
