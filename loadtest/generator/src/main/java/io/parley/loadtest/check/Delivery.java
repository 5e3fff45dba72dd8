package io.parley.loadtest.check;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a run's own message that the run checks. They are found in the bytes of
 * the frame without decoding the rest, because a generator that shares the machine with
 * the server must spend little time on each delivery.
 *
 * @param position of the event in its room
 * @param prev the position of the previous event
 */
public record Delivery(long position, long prev, LoadMessage message) {

	private static final int LARGEST = 1024;

	private static final ThreadLocal<byte[]> BYTES = ThreadLocal.withInitial(() -> new byte[LARGEST]);

	private static final byte[] COMMAND = ascii("MESSAGE\n");

	private static final byte[] POSITION = ascii("\nposition:");

	private static final byte[] PREV = ascii("\nprev:");

	private static final byte[] TEXT = ascii("\"text\":\"" + LoadMessage.MARK + " ");

	/**
	 * Reads a whole frame of Parley.
	 * @return null for anything other than a message of this run: such a frame must be
	 * decoded
	 */
	public static @Nullable Delivery read(ByteBuf frame, String run) {
		byte[] bytes = BYTES.get();
		int length = copy(frame, bytes);
		int text = text(bytes, length, run);
		int position = (text >= 0) ? after(bytes, POSITION, 0, length) : -1;
		int prev = (position >= 0) ? after(bytes, PREV, 0, length) : -1;
		return (prev >= 0) ? new Delivery(number(bytes, position), number(bytes, prev), message(bytes, text, run))
				: null;
	}

	/**
	 * Reads a whole frame of any server in the same way, without positions.
	 * @return null for anything other than a message of this run
	 */
	public static @Nullable LoadMessage message(ByteBuf frame, String run) {
		byte[] bytes = BYTES.get();
		int text = text(bytes, copy(frame, bytes), run);
		return (text >= 0) ? message(bytes, text, run) : null;
	}

	/**
	 * Copies the frame and returns its length; 0 for a frame that is too long.
	 */
	private static int copy(ByteBuf frame, byte[] bytes) {
		int length = frame.readableBytes();
		if (length > LARGEST) {
			return 0;
		}
		frame.getBytes(frame.readerIndex(), bytes, 0, length);
		return length;
	}

	/**
	 * Returns the index of the run's name in a MESSAGE of this run, or -1.
	 */
	private static int text(byte[] bytes, int length, String run) {
		int text = startsWith(bytes, COMMAND) ? after(bytes, TEXT, 0, length) : -1;
		return (text >= 0 && matches(bytes, text, run)) ? text : -1;
	}

	private static LoadMessage message(byte[] bytes, int text, String run) {
		int sequence = text + run.length() + 1;
		return new LoadMessage(run, number(bytes, sequence), number(bytes, sequence + digits(bytes, sequence) + 1));
	}

	private static boolean startsWith(byte[] bytes, byte[] prefix) {
		return Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
	}

	private static boolean matches(byte[] bytes, int from, String run) {
		for (int i = 0; i < run.length(); i++) {
			if (bytes[from + i] != run.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Returns the index after the first occurrence, or -1.
	 */
	private static int after(byte[] bytes, byte[] wanted, int from, int to) {
		for (int i = from; i <= to - wanted.length; i++) {
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

	private static int digits(byte[] bytes, int from) {
		int i = from;
		while (bytes[i] >= '0' && bytes[i] <= '9') {
			i++;
		}
		return i - from;
	}

	private static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

}
