package io.parley.loadtest.study.transports;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Encodes the content of a message: sender, sequence and padding. It consists of ASCII
 * characters that JSON does not escape, so that every transport carries the same bytes.
 */
final class Parcel {

	/**
	 * Prefix of each message.
	 */
	static final String MARK = "w.";

	private static final int SHORTEST = 32;

	private Parcel() {
	}

	static byte[] bytes(int sender, int sequence, int size) {
		byte[] head = (MARK + sender + "." + sequence + ".").getBytes(StandardCharsets.US_ASCII);
		byte[] bytes = Arrays.copyOf(head, Math.max(size, SHORTEST));
		Arrays.fill(bytes, head.length, bytes.length, (byte) 'x');
		return bytes;
	}

	/**
	 * Passes a complete message to the tally.
	 */
	static void arrived(byte[] bytes, int receiver, Tally tally) {
		arrived(bytes, 0, bytes.length, receiver, tally);
	}

	/**
	 * Passes a message to the tally.
	 * @param from index of its first byte in the array
	 * @param length number of its bytes, which may extend beyond the array
	 */
	static void arrived(byte[] bytes, int from, int length, int receiver, Tally tally) {
		int sender = from + MARK.length();
		int sequence = end(bytes, sender) + 1;
		tally.arrived(receiver, number(bytes, sender), number(bytes, sequence), length);
	}

	private static int number(byte[] bytes, int from) {
		int number = 0;
		for (int n = from; n < bytes.length && bytes[n] >= '0' && bytes[n] <= '9'; n++) {
			number = 10 * number + bytes[n] - '0';
		}
		return number;
	}

	private static int end(byte[] bytes, int from) {
		int end = from;
		while (end < bytes.length && bytes[end] != '.') {
			end++;
		}
		return end;
	}

}
