package io.parley.loadtest.study.peers.wire;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * The client's side of a protocol on one WebSocket connection: subscribes to one room,
 * publishes, and recognises deliveries. A WebSocket frame may hold a part of a message of
 * the protocol, or several messages. Except for {@link #publish}, the methods are called
 * on the event loop of the connection.
 */
public abstract class Wire {

	/** Returned by {@link #take} when the message is not complete yet. */
	static final int INCOMPLETE = -1;

	private static final byte[] NOTHING = {};

	private final Link link;

	private byte[] rest = NOTHING;

	Wire(Link link) {
		this.link = link;
	}

	/**
	 * Called when the WebSocket connection is open.
	 */
	public abstract void opened();

	/**
	 * Returns the frame that publishes a text to the room.
	 */
	public abstract byte[] publish(byte[] text);

	/**
	 * Returns what the client sends every few seconds to keep the connection, or null
	 * when the server asks by itself.
	 */
	public byte @Nullable [] keepAlive() {
		return null;
	}

	/**
	 * Returns whether the server confirms each message that the client publishes.
	 */
	public boolean confirms() {
		return false;
	}

	/**
	 * Returns whether the frames of the client are text frames.
	 */
	public boolean isText() {
		return true;
	}

	/**
	 * Handles the message of the protocol that starts at a position.
	 * @param last whether a WebSocket message ends at {@code to}
	 * @return the position after the message, or {@link #INCOMPLETE}
	 */
	abstract int take(byte[] bytes, int from, int to, boolean last);

	/**
	 * Handles received bytes.
	 * @param last whether they end a WebSocket message
	 */
	public final void received(byte[] received, boolean last) {
		byte[] bytes = received;
		if (this.rest.length > 0) {
			bytes = Arrays.copyOf(this.rest, this.rest.length + received.length);
			System.arraycopy(received, 0, bytes, this.rest.length, received.length);
		}
		int from = 0;
		while (from < bytes.length) {
			int next = take(bytes, from, bytes.length, last);
			if (next == INCOMPLETE) {
				break;
			}
			from = next;
		}
		this.rest = (from < bytes.length) ? Arrays.copyOfRange(bytes, from, bytes.length) : NOTHING;
	}

	final Link link() {
		return this.link;
	}

	/**
	 * Reports a delivery when there is a probe between two positions.
	 */
	final void deliver(byte[] bytes, int from, int to) {
		Probe probe = Probe.find(bytes, from, to);
		if (probe != null) {
			this.link.delivered(probe);
		}
	}

	static byte[] bytes(String text) {
		return text.getBytes(StandardCharsets.UTF_8);
	}

	static String text(byte[] bytes, int from, int to) {
		return new String(bytes, from, to - from, StandardCharsets.UTF_8);
	}

	/**
	 * Returns whether an ASCII text starts at a position and ends before another one.
	 */
	static boolean startsWith(byte[] bytes, int from, int to, String text) {
		boolean same = to - from >= text.length();
		for (int n = 0; same && n < text.length(); n++) {
			same = bytes[from + n] == text.charAt(n);
		}
		return same;
	}

	/**
	 * Returns the position of an ASCII text, or -1.
	 */
	static int indexOf(byte[] bytes, int from, int to, String text) {
		for (int at = from; at <= to - text.length(); at++) {
			if (startsWith(bytes, at, to, text)) {
				return at;
			}
		}
		return -1;
	}

}
