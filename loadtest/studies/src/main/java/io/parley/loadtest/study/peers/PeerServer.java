package io.parley.loadtest.study.peers;

import java.net.URI;

import io.parley.loadtest.study.peers.wire.Link;
import io.parley.loadtest.study.peers.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A server that has been started.
 *
 * @param url of its WebSocket endpoint
 * @param subprotocol of the WebSocket, or null when it has none
 * @param pid of its process
 * @param start how it was started
 * @param wires the protocol of each session
 */
record PeerServer(URI url, @Nullable String subprotocol, long pid, Start start, Wires wires) {

	/**
	 * How a server was started.
	 *
	 * @param configuration in one line
	 */
	record Start(String version, String command, String configuration) {
	}

	/**
	 * Creates the protocol of a session.
	 */
	@FunctionalInterface
	interface Wires {

		/**
		 * Creates the protocol.
		 * @param session the index of the session, which also decides its room
		 */
		Wire create(int session, Link link);

	}

}
