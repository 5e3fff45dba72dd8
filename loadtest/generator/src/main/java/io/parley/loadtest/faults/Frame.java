package io.parley.loadtest.faults;

import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Pattern;

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

	private static final byte[] RECEIPT = "RECEIPT\n".getBytes(StandardCharsets.US_ASCII);

	private static final byte[] SUBSCRIBE = "SUBSCRIBE\n".getBytes(StandardCharsets.US_ASCII);

	/** The header of a SUBSCRIBE that resumes. */
	private static final Pattern AFTER = Pattern.compile("\nafter:\\d+");

	private static final byte CLOSE = (byte) 0x88;

	private static final int MOST_IN_FIRST_BYTE = 125;

	private static final int MASK = 4;

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
		return startsWith(this.payload, EVENT) && head().contains(POSITION);
	}

	/**
	 * Returns whether the frame tells that a message was accepted, sent by the server.
	 */
	boolean isReceipt() {
		return startsWith(this.payload, RECEIPT)
				|| startsWith(this.payload, EVENT) && text().contains("\"type\":\"accepted\"");
	}

	/**
	 * Returns whether the frame is a SUBSCRIBE after a position, sent by a client.
	 */
	boolean resumes() {
		return startsWith(unmasked(), SUBSCRIBE) && AFTER.matcher(head()).find();
	}

	/**
	 * Returns the bytes of a frame that resumes, after another position.
	 */
	byte[] resuming(long after) {
		byte[] changed = AFTER.matcher(text()).replaceFirst("\nafter:" + after).getBytes(StandardCharsets.UTF_8);
		boolean small = changed.length <= MOST_IN_FIRST_BYTE;
		byte[] mask = mask();
		ByteBuffer frame = ByteBuffer.allocate((small ? 2 : 4) + mask.length + changed.length).put(this.header[0]);
		int masked = this.header[1] & MASKED;
		if (small) {
			frame.put((byte) (masked | changed.length));
		}
		else {
			frame.put((byte) (masked | 126)).putShort((short) changed.length);
		}
		return frame.put(mask).put(xor(changed, mask)).array();
	}

	/**
	 * Returns the bytes of a close frame of the server.
	 */
	static byte[] close(int code) {
		return new byte[] { CLOSE, 2, (byte) (code >> 8), (byte) code };
	}

	private String head() {
		String text = text();
		int end = text.indexOf("\n\n");
		return (end > 0) ? text.substring(0, end) : "";
	}

	private String text() {
		return new String(unmasked(), StandardCharsets.UTF_8);
	}

	private byte[] unmasked() {
		return (this.payload != null) ? xor(this.payload, mask()) : new byte[0];
	}

	private byte[] mask() {
		boolean masked = (this.header[1] & MASKED) != 0;
		return masked ? Arrays.copyOfRange(this.header, this.header.length - MASK, this.header.length) : new byte[0];
	}

	private static byte[] xor(byte[] bytes, byte[] mask) {
		byte[] result = bytes.clone();
		for (int n = 0; n < result.length && mask.length > 0; n++) {
			result[n] ^= mask[n % MASK];
		}
		return result;
	}

	private static boolean startsWith(byte @Nullable [] bytes, byte[] start) {
		return bytes != null && bytes.length >= start.length
				&& Arrays.mismatch(bytes, 0, start.length, start, 0, start.length) < 0;
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
