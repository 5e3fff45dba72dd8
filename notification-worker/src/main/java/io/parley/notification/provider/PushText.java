package io.parley.notification.provider;

import java.nio.charset.StandardCharsets;

/**
 * What a notification shows.
 *
 * @param body empty for none
 */
record PushText(String title, String body) {

	private static final int MAX_NAME = 100;

	private static final String MORE = "\u2026";

	/**
	 * Of a message.
	 * @param text the end of the body, perhaps cut
	 */
	static PushText of(PushMessage message, String text) {
		String sender = start(message.sender(), MAX_NAME);
		String title = message.roomName().isBlank() ? sender : start(message.roomName(), MAX_NAME);
		String last = sender + ": " + text;
		return new PushText(title,
				(message.messages() > 1) ? "%d new messages, last from %s".formatted(message.messages(), last) : last);
	}

	/** Says that there is something and not what. */
	static PushText neutral(PushMessage message) {
		return new PushText((message.messages() > 1) ? message.messages() + " new messages" : "New message", "");
	}

	/**
	 * As many whole characters as fit into bytes of JSON, with a mark when some do not.
	 */
	static String cut(String text, int bytes) {
		if (text.codePoints().map(PushText::bytes).sum() <= bytes) {
			return text;
		}
		int room = bytes - bytes(MORE.codePointAt(0));
		int end = 0;
		while (room >= bytes(text.codePointAt(end))) {
			room -= bytes(text.codePointAt(end));
			end = text.offsetByCodePoints(end, 1);
		}
		return (room < 0) ? "" : text.substring(0, end) + MORE;
	}

	/** In a JSON string. */
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
