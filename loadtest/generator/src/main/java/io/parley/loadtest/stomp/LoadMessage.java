package io.parley.loadtest.stomp;

import org.jspecify.annotations.Nullable;

/**
 * The text of a sent message, with all a receiver needs to check it.
 *
 * @param sequence from 0, unique in the run
 * @param intended the time for which the send was scheduled ({@link System#nanoTime()}):
 * a late send counts as latency
 */
public record LoadMessage(String run, long sequence, long intended) {

	public static final String MARK = "lt";

	/**
	 * First sequence of the messages that are not counted, such as probes and warm-up.
	 */
	public static final long UNCOUNTED = 1L << 40;

	public boolean isCounted() {
		return this.sequence < UNCOUNTED;
	}

	public String text() {
		return MARK + " " + this.run + " " + this.sequence + " " + this.intended;
	}

	/**
	 * Returns the client id with which the message is sent.
	 */
	public String clientId() {
		return this.run + "-" + this.sequence;
	}

	/**
	 * Returns the text with padding to a length, or unpadded if it is longer.
	 */
	String text(int length) {
		String text = text();
		return (length > text.length()) ? text + " " + "x".repeat(length - text.length() - 1) : text;
	}

	/**
	 * Returns the id of the requested receipt. {@link #parse} reads it, too.
	 */
	String receipt() {
		return text().replace(' ', '.');
	}

	/**
	 * Returns the message of a text or a receipt id; null when it is neither.
	 */
	public static @Nullable LoadMessage parse(@Nullable String text) {
		String[] parts = (text != null) ? text.split("[ .]", 5) : new String[0];
		if (parts.length < 4 || !parts[0].equals(MARK)) {
			return null;
		}
		return new LoadMessage(parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
	}

}
