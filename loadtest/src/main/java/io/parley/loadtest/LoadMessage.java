package io.parley.loadtest;

import org.jspecify.annotations.Nullable;

/**
 * What the text of a sent message carries, so that whoever gets it can check it.
 *
 * @param sequence from 0, unique in the run
 * @param intended when it should have been sent ({@link System#nanoTime()}): a late send
 * counts as latency
 */
record LoadMessage(String run, long sequence, long intended) {

	static final String MARK = "lt";

	/**
	 * From here on messages are sent to see or to warm something, and are not counted.
	 */
	static final long UNCOUNTED = 1L << 40;

	boolean isCounted() {
		return this.sequence < UNCOUNTED;
	}

	String text() {
		return MARK + " " + this.run + " " + this.sequence + " " + this.intended;
	}

	/** The same with padding, so that it has that length, or more if it needs it. */
	String text(int length) {
		String text = text();
		return (length > text.length()) ? text + " " + "x".repeat(length - text.length() - 1) : text;
	}

	/** The id of the receipt that is asked for, readable by {@link #parse} too. */
	String receipt() {
		return text().replace(' ', '.');
	}

	/** The message of a text or a receipt id, or null when it is something else. */
	static @Nullable LoadMessage parse(@Nullable String text) {
		String[] parts = (text != null) ? text.split("[ .]", 5) : new String[0];
		if (parts.length < 4 || !parts[0].equals(MARK)) {
			return null;
		}
		return new LoadMessage(parts[1], Long.parseLong(parts[2]), Long.parseLong(parts[3]));
	}

}
