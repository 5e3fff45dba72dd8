package io.parley.loadtest.study.transports;

import java.util.List;

/**
 * A server of one kind in a separate process, and its clients.
 */
interface Transport extends AutoCloseable {

	String name();

	/**
	 * Returns whether this is a mode of Parley, which must not fail.
	 */
	default boolean isParley() {
		return false;
	}

	/**
	 * Prepares a round before its clients connect. The time is not measured.
	 */
	default void prepare(Cell cell) {
	}

	/**
	 * Connects all clients of a round. When this method returns, all of them receive
	 * messages.
	 * @param group a name that is the same for all clients of a round, and different for
	 * each round
	 */
	List<Link> connect(Cell cell, String group, Tally tally) throws Exception;

	@Override
	void close();

}
