package io.parley.notification.provider;

import java.nio.charset.StandardCharsets;

/**
 * The text that a notification shows.
 *
 * @param body empty for none
 */
record PushText(String title, String body) {

	private static final int MAX_NAME = 100;

	private static final String MORE = "\u2026";

	/**
	 * Returns the title and body for a message.
	 * @param text the last part of the body, possibly truncated
	 */
	static PushText of(PushMessage message, String text) {
		String sender = start(message.sender(), MAX_NAME);
		String title = message.roomName().isBlank() ? sender : start(message.roomName(), MAX_NAME);
		String last = sender + ": " + text;
		return new PushText(title,
				(message.messages() > 1) ? "%d new messages, last from %s".formatted(message.messages(), last) : last);
	}

	/**
	 * Returns a text that shows that there are messages, but nothing of their content.
	 */
	static PushText neutral(PushMessage message) {
		return new PushText((message.messages() > 1) ? message.messages() + " new messages" : "New message", "");
	}

	/**
	 * Returns as many whole characters as fit into the given number of bytes of JSON. A
	 * truncated text ends with an ellipsis.
	 */
	static String cut(String text, int bytes) {
		if (text.codePoints().map(PushText::bytes).sum() <= bytes) {
			return text;
		}
		int available = bytes - bytes(MORE.codePointAt(0));
		int end = 0;
		while (available >= bytes(text.codePointAt(end))) {
			available -= bytes(text.codePointAt(end));
			end = text.offsetByCodePoints(end, 1);
		}
		return (available < 0) ? "" : text.substring(0, end) + MORE;
	}

	/** Returns the number of bytes of a character in a JSON string. */
	private static int bytes(int codePoint) {
		return switch (codePoint) {
			case '"', '\\', '\n', '\r', '\t', '\b', '\f' -> 2;
			case 0x2028, 0x2029 -> 6;
			default -> (codePoint < 0x20) ? 6 : Character.toString(codePoint).getBytes(StandardCharsets.UTF_8).length;
		};
	}

	private static String start(String name, int characters) {
		if (name.codePointCount(0, name.length()) <= characters) {
			return name;
		}
		return name.substring(0, name.offsetByCodePoints(0, characters)) + MORE;
	}

}
