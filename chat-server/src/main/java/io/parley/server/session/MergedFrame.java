package io.parley.server.session;

import java.nio.ByteBuffer;
import java.util.List;

import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.OpCode;

/**
 * Several text messages in one go. To Jetty this is the first of them, whose payload
 * carries the rest behind it, with their headers as RFC 6455 section 5.2 has them: what a
 * server sends is not masked, so the bytes can be laid out beforehand. Jetty then makes
 * one entry, one callback and one write for all, instead of one for each message.
 */
final class MergedFrame extends Frame {

	private static final int MAX_HEADER = 10;

	private static final byte LAST_TEXT = (byte) 0x81;

	private static final int SHORT_LENGTH = 126;

	private static final int LONG_LENGTH = 127;

	private final int first;

	private MergedFrame(int first, ByteBuffer payload) {
		super(OpCode.TEXT, payload);
		this.first = first;
	}

	/** Messages as UTF-8, at least one. */
	static MergedFrame of(List<byte[]> messages) {
		int length = messages.stream().mapToInt((message) -> MAX_HEADER + message.length).sum();
		ByteBuffer bytes = ByteBuffer.allocate(length).put(messages.getFirst());
		for (byte[] message : messages.subList(1, messages.size())) {
			putHeader(bytes, message.length);
			bytes.put(message);
		}
		return new MergedFrame(messages.getFirst().length, bytes.flip());
	}

	private static void putHeader(ByteBuffer bytes, int length) {
		bytes.put(LAST_TEXT);
		if (length < SHORT_LENGTH) {
			bytes.put((byte) length);
		}
		else if (length <= 0xFFFF) {
			bytes.put((byte) SHORT_LENGTH).putShort((short) length);
		}
		else {
			bytes.put((byte) LONG_LENGTH).putLong(length);
		}
	}

	/** What Jetty writes into the header before the payload. */
	@Override
	public int getPayloadLength() {
		return this.first;
	}

}
