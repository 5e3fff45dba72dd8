package io.parley.server.session;

import java.nio.ByteBuffer;

/**
 * The heart-beats that client and server have agreed on. See "Heart-beating" in the
 * specification of STOMP 1.2.
 *
 * @param fromClient the maximum time between two signs of life from the client, in
 * milliseconds; 0 for none
 * @param toClient the same from the server
 */
record HeartBeat(long fromClient, long toClient) {

	static final HeartBeat NONE = new HeartBeat(0, 0);

	private static final ByteBuffer LINE_FEED = ByteBuffer.wrap(new byte[] { '\n' });

	private static final ByteBuffer CARRIAGE_RETURN_LINE_FEED = ByteBuffer.wrap(new byte[] { '\r', '\n' });

	/**
	 * Agrees on the larger of the interval that one side can guarantee and the one that
	 * the other side wants.
	 * @param client the two numbers of the client's header
	 */
	static HeartBeat agree(long[] client, long serverMillis) {
		return new HeartBeat(agree(client[0], serverMillis), agree(client[1], serverMillis));
	}

	private static long agree(long client, long server) {
		return (client > 0 && server > 0) ? Math.max(client, server) : 0;
	}

	/**
	 * Returns whether a message is a line end as defined by STOMP 1.2. Does not consume
	 * the message.
	 */
	static boolean is(ByteBuffer message) {
		return message.equals(LINE_FEED) || message.equals(CARRIAGE_RETURN_LINE_FEED);
	}

}
