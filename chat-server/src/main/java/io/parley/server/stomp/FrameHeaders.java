package io.parley.server.stomp;

import java.util.List;
import java.util.Map;

import io.parley.server.error.ErrorCode;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/** Checks the headers of client frames. */
final class FrameHeaders {

	private static final int MAX_HEADERS = 32;

	private static final int MAX_CHARS = 8_192;

	private FrameHeaders() {
	}

	/**
	 * Rejects too many headers, headers that are too long, and U+0000. This character
	 * would end a frame in which the server, or a broker behind it, repeats the header.
	 * @throws io.parley.server.error.ChatException if the headers are rejected
	 */
	static void check(StompHeaderAccessor frame) {
		Map<String, List<String>> headers = frame.toNativeHeaderMap();
		int chars = 0;
		for (Map.Entry<String, List<String>> header : headers.entrySet()) {
			chars += header.getKey().length() + header.getValue().stream().mapToInt(String::length).sum();
			if (hasNul(header.getKey()) || header.getValue().stream().anyMatch(FrameHeaders::hasNul)) {
				throw ErrorCode.BAD_FRAME.because("A header may not have the character U+0000.");
			}
		}
		if (headers.size() > MAX_HEADERS || chars > MAX_CHARS) {
			throw ErrorCode.BAD_FRAME.because(
					"A frame may have at most " + MAX_HEADERS + " headers with " + MAX_CHARS + " characters together.");
		}
	}

	/**
	 * Returns the receipt id that an ERROR frame may repeat, even if the headers were
	 * rejected; null if there is none or it must not be repeated.
	 */
	static @Nullable String receiptForError(StompHeaderAccessor frame) {
		String receipt = frame.getReceipt();
		return (receipt != null && receipt.length() <= MAX_CHARS && !hasNul(receipt)) ? receipt : null;
	}

	private static boolean hasNul(String string) {
		return string.indexOf('\0') >= 0;
	}

}
