package io.parley.loadtest.study.transports;

import java.util.List;

/** A server of one kind in a process of its own, and how to reach it. */
interface Transport extends AutoCloseable {

	String name();

	/** Whether it is a mode of Parley, which must not fail. */
	default boolean isParley() {
		return false;
	}

	/** Makes what the clients of a round need before they connect. Not timed. */
	default void prepare(Cell cell) {
	}

	/**
	 * Connects all clients of a round; when this returns, each gets what is sent.
	 * @param group the same for all of a round and for no other round
	 */
	List<Link> connect(Cell cell, String group, Tally tally) throws Exception;

	@Override
	void close();

}
