package io.parley.loadtest.study.transports;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The task of one client in a round. A message consists of its sender, its sequence and
 * padding, in ASCII characters that JSON does not escape, so that every transport carries
 * the same bytes.
 *
 * @param group a name that is the same for all clients of a round, and different for each
 * round
 */
record RoundClient(Cell cell, String group, int number, DeliveryCheck check) {

	private static final String MARK = "w.";

	private static final int SHORTEST = 32;

	byte[] message(int sequence) {
		byte[] head = (MARK + this.number + "." + sequence + ".").getBytes(StandardCharsets.US_ASCII);
		byte[] bytes = Arrays.copyOf(head, Math.max(this.cell.bytes(), SHORTEST));
		Arrays.fill(bytes, head.length, bytes.length, (byte) 'x');
		return bytes;
	}

	void arrived(byte[] message) {
		arrived(message, 0, message.length);
	}

	/**
	 * Checks a message that this client has received.
	 * @param from index of its first byte in the array
	 * @param length number of its bytes, which may extend beyond the array
	 */
	void arrived(byte[] bytes, int from, int length) {
		int sender = from + MARK.length();
		int sequence = sender;
		while (sequence < bytes.length && bytes[sequence] != '.') {
			sequence++;
		}
		this.check.arrived(this.number, number(bytes, sender), number(bytes, sequence + 1), length);
	}

	private static int number(byte[] bytes, int from) {
		int number = 0;
		for (int n = from; n < bytes.length && bytes[n] >= '0' && bytes[n] <= '9'; n++) {
			number = 10 * number + bytes[n] - '0';
		}
		return number;
	}

}
