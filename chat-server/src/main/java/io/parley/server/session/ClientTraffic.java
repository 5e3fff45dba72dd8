package io.parley.server.session;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.web.socket.CloseStatus;

/**
 * Tracks what the client of one session has sent. Written by the reader of the socket;
 * the times may be read by any thread.
 */
final class ClientTraffic {

	static final CloseStatus TOO_MUCH_BEFORE_CONNECT = CloseStatus.TOO_BIG_TO_PROCESS
		.withReason("too much before CONNECT");

	/** Enough for a CONNECT with the longest headers. */
	private static final int MAX_BYTES_BEFORE_CONNECT = 16 * 1024;

	private final AtomicBoolean waitsForConnect = new AtomicBoolean(true);

	private volatile boolean connected;

	private int bytesBeforeConnect;

	private volatile long lastReceived = System.nanoTime();

	private volatile long lastHandled = this.lastReceived;

	/** While the server handles a message, it does not read the socket. */
	private volatile boolean handling;

	private boolean betweenFrames;

	/** Records that a WebSocket frame was received. */
	void frameReceived() {
		this.lastReceived = System.nanoTime();
	}

	/** Records that CONNECT was accepted. */
	void connected() {
		this.connected = true;
	}

	/**
	 * Returns true on the first call. Called when CONNECT is accepted and when the socket
	 * closes.
	 */
	boolean stopWaitingForConnect() {
		return this.waitsForConnect.getAndSet(false);
	}

	/**
	 * Counts the bytes received before CONNECT is accepted, and returns whether they may
	 * be read. Before CONNECT is accepted, a socket may send few bytes.
	 */
	boolean mayRead(int bytes) {
		if (this.connected) {
			return true;
		}
		this.bytesBeforeConnect = Math.addExact(this.bytesBeforeConnect, bytes);
		return this.bytesBeforeConnect <= MAX_BYTES_BEFORE_CONNECT;
	}

	/**
	 * Records that a whole message was received, which is handled now. Calls must not
	 * overlap.
	 */
	void messageReceived(Object payload) {
		this.handling = true;
		// Line ends may follow the NUL.
		this.betweenFrames = payload instanceof String text && text.stripTrailing().endsWith("\0");
	}

	/** Records that the socket is read again. */
	void messageHandled() {
		this.lastHandled = System.nanoTime();
		this.handling = false;
	}

	/**
	 * Returns for how many nanoseconds the server has been reading without receiving
	 * anything.
	 * @param now {@link System#nanoTime}
	 */
	long silentNanos(long now) {
		return this.handling ? 0 : Math.min(now - this.lastReceived, now - this.lastHandled);
	}

	/**
	 * Returns whether a line end received now is a heart-beat, and not part of a frame
	 * that the client sends in several messages.
	 */
	boolean betweenFrames() {
		return this.betweenFrames;
	}

	/** Returns the time of the last frame. */
	Instant lastReceivedAt() {
		return Instant.now().minusNanos(System.nanoTime() - this.lastReceived);
	}

}
