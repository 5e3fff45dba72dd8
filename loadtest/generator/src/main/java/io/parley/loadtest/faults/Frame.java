package io.parley.loadtest.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * A WebSocket frame.
 *
 * @param header its first bytes, as they were read
 * @param length the number of bytes that follow
 * @param payload these bytes; null for a frame that is too large to be held
 */
record Frame(byte[] header, long length, byte @Nullable [] payload) {

	private static final int MOST_HELD = 256 * 1024;

	private static final int CONTROL = 0x08;

	private static final int MASKED = 0x80;

	/** A heart-beat is a line end. */
	private static final int LONGEST_HEART_BEAT = 2;

	private static final byte[] EVENT = "MESSAGE\n".getBytes(StandardCharsets.US_ASCII);

	/** Only the events of a room have it. */
	private static final String POSITION = "\nposition:";

	/**
	 * Reads the next frame; null at the end of the stream.
	 * @throws IOException when the stream ends within a frame
	 */
	static @Nullable Frame read(DataInputStream in) throws IOException {
		int first = in.read();
		if (first < 0) {
			return null;
		}
		byte[] header = new byte[14];
		header[0] = (byte) first;
		header[1] = in.readByte();
		int more = switch (header[1] & 0x7f) {
			case 126 -> 2;
			case 127 -> 8;
			default -> 0;
		};
		int mask = ((header[1] & MASKED) != 0) ? 4 : 0;
		in.readFully(header, 2, more + mask);
		long length = (more == 0) ? header[1] & 0x7f : 0;
		for (int n = 2; n < 2 + more; n++) {
			length = (length << 8) | (header[n] & 0xff);
		}
		byte[] payload = null;
		if (length >= 0 && length <= MOST_HELD) {
			payload = new byte[(int) length];
			in.readFully(payload);
		}
		return new Frame(Arrays.copyOf(header, 2 + more + mask), length, payload);
	}

	/**
	 * Returns whether the frame counts: it is neither a control frame nor a heart-beat.
	 */
	boolean counts() {
		return (this.header[0] & CONTROL) == 0 && this.length > LONGEST_HEART_BEAT;
	}

	/**
	 * Returns whether the frame is an event of a room, sent by the server.
	 */
	boolean isEvent() {
		byte[] bytes = this.payload;
		if (bytes == null || bytes.length < EVENT.length
				|| Arrays.mismatch(bytes, 0, EVENT.length, EVENT, 0, EVENT.length) >= 0) {
			return false;
		}
		String text = new String(bytes, StandardCharsets.UTF_8);
		int end = text.indexOf("\n\n");
		return end > 0 && text.substring(0, end).contains(POSITION);
	}

	/**
	 * Returns header and payload in one array.
	 */
	byte[] bytes(byte[] payload) {
		byte[] all = Arrays.copyOf(this.header, this.header.length + payload.length);
		System.arraycopy(payload, 0, all, this.header.length, payload.length);
		return all;
	}

}
