package io.parley.system;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports for servers, below the ephemeral range of outgoing connections: a client
 * that connects to a port in that range without a listener may connect to itself.
 */
final class FreePorts {

	private static final int FIRST = 20_000;

	private static final int LAST = 30_000;

	private FreePorts() {
	}

	static int next() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
			if (isFree(port)) {
				return port;
			}
		}
	}

	static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("0.0.0.0"))) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
