package io.parley.loadtest.study.client;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Location of the text of a message in its frame, found without decoding it: a generator
 * that shares the machine with the server must spend little time on each delivery.
 *
 * @param bytes the beginning of the frame, overwritten by the next frame of this thread
 * @param from index of the first byte of the text
 * @param length number of bytes from there to the end of the frame
 */
public record RoomText(byte[] bytes, int from, int length, long position, long prev) {

	/**
	 * Number of bytes searched. The headers and the fields before the text are shorter.
	 */
	private static final int MOST = 768;

	private static final ThreadLocal<byte[]> BYTES = ThreadLocal.withInitial(() -> new byte[MOST]);

	private static final byte[] COMMAND = ascii("MESSAGE\n");

	private static final byte[] POSITION = ascii("\nposition:");

	private static final byte[] PREV = ascii("\nprev:");

	private static final byte[] TEXT = ascii("\"text\":\"");

	/**
	 * Finds the text in a whole frame.
	 * @return null for a frame that is not a message
	 */
	public static @Nullable RoomText find(ByteBuf frame) {
		byte[] bytes = BYTES.get();
		int length = Math.min(MOST, frame.readableBytes());
		frame.getBytes(frame.readerIndex(), bytes, 0, length);
		if (!Arrays.equals(bytes, 0, Math.min(length, COMMAND.length), COMMAND, 0, COMMAND.length)) {
			return null;
		}
		int position = after(bytes, POSITION, 0, length);
		int prev = (position >= 0) ? after(bytes, PREV, 0, length) : -1;
		int text = (prev >= 0) ? after(bytes, TEXT, Math.max(position, prev), length) : -1;
		return (text >= 0)
				? new RoomText(bytes, text, frame.readableBytes() - text, number(bytes, position), number(bytes, prev))
				: null;
	}

	private static int after(byte[] bytes, byte[] wanted, int from, int length) {
		for (int i = from; i <= length - wanted.length; i++) {
			if (bytes[i] == wanted[0] && Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
				return i + wanted.length;
			}
		}
		return -1;
	}

	private static long number(byte[] bytes, int from) {
		long number = 0;
		for (int i = from; bytes[i] >= '0' && bytes[i] <= '9'; i++) {
			number = 10 * number + bytes[i] - '0';
		}
		return number;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
