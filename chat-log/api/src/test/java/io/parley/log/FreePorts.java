package io.parley.log;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds ports for servers, below the ephemeral range. Ports in that range are given to
 * outgoing connections and to containers between the moment they are found and the start
 * of the server. A client that connects to such a port without a listener may also
 * connect to itself.
 */
public final class FreePorts {

	private static final int FIRST = 20_000;

	private static final int LAST = 30_000;

	private static final Set<Integer> given = ConcurrentHashMap.newKeySet();

	private FreePorts() {
	}

	/** Returns a free port that this JVM has not been given before. */
	public static int next() {
		while (true) {
			int port = ThreadLocalRandom.current().nextInt(FIRST, LAST);
			if (given.add(port) && isFree(port)) {
				return port;
			}
		}
	}

	/** Returns whether nothing listens on the port, on any address. */
	public static boolean isFree(int port) {
		try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getByName("0.0.0.0"))) {
			return socket.isBound();
		}
		catch (IOException ex) {
			return false;
		}
	}

}
