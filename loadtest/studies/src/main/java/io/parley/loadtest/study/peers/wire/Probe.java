package io.parley.loadtest.study.peers.wire;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

import org.jspecify.annotations.Nullable;

/**
 * The content of each message. It is found in the bytes of a delivery without decoding
 * the delivery, so that the generator does the same work for each server. It has only
 * characters that JSON does not escape.
 *
 * @param room the index of the room
 * @param sender the index of the session that sends it
 * @param number the position among the messages of the room; it rises for each sender
 * @param intended the scheduled time of the send, as {@link System#nanoTime()}
 */
public record Probe(int room, int sender, int number, long intended) {

	/** The length of the shortest text. */
	public static final int LENGTH = 37;

	private static final byte[] START = { '~', 'P', '~' };

	private static final int INT_DIGITS = 6;

	private static final int LONG_DIGITS = 16;

	private static final HexFormat HEX = HexFormat.of();

	/**
	 * Returns a text of this many bytes.
	 */
	public byte[] text(int size) {
		String text = "~P~" + HEX.toHexDigits(this.room, INT_DIGITS) + HEX.toHexDigits(this.sender, INT_DIGITS)
				+ HEX.toHexDigits(this.number, INT_DIGITS) + HEX.toHexDigits(this.intended);
		return (text + "x".repeat(size - LENGTH)).getBytes(StandardCharsets.US_ASCII);
	}

	/**
	 * Returns the probe between two positions, or null when there is none.
	 */
	static @Nullable Probe find(byte[] bytes, int from, int to) {
		for (int at = from; at <= to - LENGTH; at++) {
			if (bytes[at] == START[0] && bytes[at + 1] == START[1] && bytes[at + 2] == START[2]) {
				int digits = at + START.length;
				return new Probe((int) number(bytes, digits, INT_DIGITS),
						(int) number(bytes, digits + INT_DIGITS, INT_DIGITS),
						(int) number(bytes, digits + 2 * INT_DIGITS, INT_DIGITS),
						number(bytes, digits + 3 * INT_DIGITS, LONG_DIGITS));
			}
		}
		return null;
	}

	private static long number(byte[] bytes, int from, int digits) {
		long number = 0;
		for (int at = from; at < from + digits; at++) {
			number = number << 4 | HexFormat.fromHexDigit(bytes[at]);
		}
		return number;
	}

}
