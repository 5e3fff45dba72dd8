package io.parley.loadtest.study.peers.wire;

import io.parley.loadtest.stomp.StompFrames;
import org.jspecify.annotations.Nullable;

/**
 * STOMP 1.2. Its frames may be split between WebSocket messages, or share one.
 */
abstract class StompWire extends Wire {

	private static final String END_OF_HEADERS = "\n\n";

	private static final String CONTENT_LENGTH = "\ncontent-length:";

	StompWire(Link link) {
		super(link);
	}

	/**
	 * Returns the CONNECT.
	 */
	abstract byte[] connect();

	/**
	 * Returns the SUBSCRIBE, with the receipt {@link StompFrames#SUBSCRIBED}.
	 */
	abstract byte[] subscribe();

	@Override
	public final void opened() {
		link().send(connect());
	}

	@Override
	public final byte @Nullable [] keepAlive() {
		return StompFrames.HEART_BEAT;
	}

	@Override
	final int take(byte[] bytes, int from, int to, boolean last) {
		if (bytes[from] == '\n' || bytes[from] == '\r') {
			return from + 1;
		}
		int headers = indexOf(bytes, from, to, END_OF_HEADERS);
		if (headers < 0) {
			return INCOMPLETE;
		}
		int end = end(bytes, from, headers, to);
		if (end >= to) {
			return INCOMPLETE;
		}
		frame(bytes, from, headers, end);
		return end + 1;
	}

	/**
	 * Returns the position of the NUL after the body. It is not before {@code to} when
	 * the frame is not complete.
	 */
	private static int end(byte[] bytes, int from, int headers, int to) {
		int body = headers + END_OF_HEADERS.length();
		int length = indexOf(bytes, from, headers, CONTENT_LENGTH);
		if (length >= 0) {
			int number = 0;
			for (int at = length + CONTENT_LENGTH.length(); at < headers && Character.isDigit(bytes[at]); at++) {
				number = 10 * number + bytes[at] - '0';
			}
			return body + number;
		}
		int end = body;
		while (end < to && bytes[end] != 0) {
			end++;
		}
		return end;
	}

	private void frame(byte[] bytes, int from, int headers, int end) {
		if (startsWith(bytes, from, end, "MESSAGE\n")) {
			deliver(bytes, headers, end);
		}
		else if (startsWith(bytes, from, end, "CONNECTED\n")) {
			link().send(subscribe());
		}
		else if (startsWith(bytes, from, end, "ERROR\n")) {
			link().failed(text(bytes, from, end));
		}
		else if (indexOf(bytes, from, headers, "\nreceipt-id:" + StompFrames.SUBSCRIBED) >= 0) {
			link().subscribed();
		}
		else if (startsWith(bytes, from, end, "RECEIPT\n")) {
			link().confirmed();
		}
	}

}
