package io.parley.server.session;

import java.nio.ByteBuffer;

/**
 * WebSocket messages with their headers, as RFC 6455 section 5.2 has them. What a server
 * sends is not masked, so one array can be written to many sockets as it is.
 */
final class WebSocketFrames {

	private static final int LAST_TEXT = 0x81;

	private static final int PONG = 0x8A;

	private static final int SHORT_LENGTH = 126;

	private static final int LONG_LENGTH = 127;

	private WebSocketFrames() {
	}

	/** A text message of UTF-8. */
	static byte[] text(byte[] message) {
		return frame(LAST_TEXT, ByteBuffer.wrap(message));
	}

	/** The answer to a PING, whose payload it takes back unread. */
	static byte[] pong(ByteBuffer payload) {
		return frame(PONG, payload.slice());
	}

	private static byte[] frame(int first, ByteBuffer payload) {
		int length = payload.remaining();
		int lengthBytes = (length < SHORT_LENGTH) ? 0 : (length <= 0xFFFF) ? Short.BYTES : Long.BYTES;
		ByteBuffer frame = ByteBuffer.allocate(2 + lengthBytes + length).put((byte) first);
		switch (lengthBytes) {
			case 0 -> frame.put((byte) length);
			case Short.BYTES -> frame.put((byte) SHORT_LENGTH).putShort((short) length);
			default -> frame.put((byte) LONG_LENGTH).putLong(length);
		}
		return frame.put(payload).array();
	}

}
