package io.parley.server.websocket;

import java.nio.ByteBuffer;

/**
 * Encodes WebSocket messages with their headers, as defined in RFC 6455, section 5.2.
 * Frames from a server are not masked, so one array can be written to many sockets
 * unchanged.
 */
public final class WebSocketFrames {

	private static final int LAST_TEXT = 0x81;

	private static final int PONG = 0x8A;

	private static final int SHORT_LENGTH = 126;

	private static final int LONG_LENGTH = 127;

	private WebSocketFrames() {
	}

	/** Encodes a text message. The message is UTF-8. */
	public static byte[] text(byte[] message) {
		return frame(LAST_TEXT, ByteBuffer.wrap(message));
	}

	/**
	 * Encodes the reply to a PING, which returns its payload. Does not consume the
	 * payload.
	 */
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
