package io.parley.server.session;

import java.nio.ByteBuffer;

/**
 * What client and server have agreed on. See "Heart-beating" in the specification of
 * STOMP 1.2.
 *
 * @param fromClient at the latest so many milliseconds after each other come signs of
 * life from the client; 0 for never
 * @param toClient the same from the server
 */
record HeartBeat(long fromClient, long toClient) {

	static final HeartBeat NONE = new HeartBeat(0, 0);

	private static final ByteBuffer LINE_FEED = ByteBuffer.wrap(new byte[] { '\n' });

	private static final ByteBuffer CARRIAGE_RETURN_LINE_FEED = ByteBuffer.wrap(new byte[] { '\r', '\n' });

	/**
	 * The larger of what one can do and the other wants.
	 * @param client the two numbers of the client's header
	 */
	static HeartBeat agree(long[] client, long serverMillis) {
		return new HeartBeat(agree(client[0], serverMillis), agree(client[1], serverMillis));
	}

	private static long agree(long client, long server) {
		return (client > 0 && server > 0) ? Math.max(client, server) : 0;
	}

	/** Whether a message is an end of line, as STOMP 1.2 has them. Leaves it unread. */
	static boolean is(ByteBuffer message) {
		return message.equals(LINE_FEED) || message.equals(CARRIAGE_RETURN_LINE_FEED);
	}

}
