package io.parley.server.room;

import java.util.regex.Pattern;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;

/** Checks the name and the topic of a room, which are shown as one line. */
final class RoomText {

	/** The longest name, in UTF-16 units. */
	static final int MAX_NAME = 100;

	/** The longest topic, in UTF-16 units. */
	static final int MAX_TOPIC = 500;

	/** Control characters, line breaks, and what changes the direction of other text. */
	private static final Pattern REFUSED = Pattern
		.compile("[\\p{Cc}\\p{Zl}\\p{Zp}\\x{202A}-\\x{202E}\\x{2066}-\\x{2069}]");

	private static final Pattern VISIBLE = Pattern.compile("[^\\p{Z}\\p{C}]");

	private RoomText() {
	}

	/**
	 * Returns the name without spaces around it.
	 * @throws ChatException {@code bad-request} if it is no name
	 */
	static String name(String name) {
		String stripped = stripped("name", name, MAX_NAME);
		if (!VISIBLE.matcher(stripped).find()) {
			throw ErrorCode.BAD_REQUEST.because("'name' needs a visible character.");
		}
		return stripped;
	}

	/**
	 * Returns the topic without spaces around it; "" is none.
	 * @throws ChatException {@code bad-request} if it is no topic
	 */
	static String topic(String topic) {
		return stripped("topic", topic, MAX_TOPIC);
	}

	private static String stripped(String field, String text, int max) {
		if (REFUSED.matcher(text).find()) {
			throw ErrorCode.BAD_REQUEST.because("'" + field
					+ "' must be one line without control characters, also without those that change the direction.");
		}
		String stripped = text.strip();
		if (stripped.length() > max) {
			throw ErrorCode.BAD_REQUEST
				.because("'" + field + "' has " + stripped.length() + " characters; at most " + max + " are possible.");
		}
		return stripped;
	}

}
