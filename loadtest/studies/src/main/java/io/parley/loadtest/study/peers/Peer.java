package io.parley.loadtest.study.peers;

import io.parley.loadtest.study.Resources;

/**
 * A server that the study compares.
 */
interface Peer {

	/**
	 * Returns the name that {@code --only} uses.
	 */
	String name();

	/**
	 * Returns what the server promises in the configuration that is measured.
	 */
	Promises promises();

	/**
	 * Returns whether this is Parley, which the others are compared with.
	 */
	default boolean isParley() {
		return false;
	}

	/**
	 * Starts the server and waits until it accepts connections.
	 * @param open gets all that must be closed after the measurement
	 * @throws io.parley.loadtest.cli.LoadTestException when it is not installed or does
	 * not start, with what to do
	 */
	PeerServer start(PeersCommand options, Resources open);

	/**
	 * What a server promises.
	 *
	 * @param stored whether a message is stored before the sender gets a confirmation
	 * @param ordered for whom the order of messages is kept
	 * @param resumed what a client gets that was away for some seconds
	 */
	record Promises(String stored, String ordered, String resumed) {
	}

}
