package io.parley.loadtest.study.transports;

import java.util.List;

/**
 * A server of one kind and its clients.
 */
interface Transport {

	String name();

	/**
	 * Prepares a round before its clients connect. The time is not measured.
	 */
	default void prepare(Cell cell) {
	}

	/**
	 * Connects all clients of a round. When this method returns, all of them receive
	 * messages.
	 * @return their connections in the same order
	 */
	List<Link> connect(List<RoundClient> clients) throws Exception;

	/**
	 * One client's connection. It passes deliveries and failures to the check of its
	 * round.
	 */
	interface Link {

		/**
		 * Sends the message with this sequence. May block on the network, but does not
		 * wait for the answer.
		 */
		void send(int sequence) throws Exception;

		/**
		 * Returns whether the server has confirmed all sent messages; true for transports
		 * without confirmations.
		 */
		default boolean isSettled() {
			return true;
		}

		void leave() throws Exception;

	}

}
