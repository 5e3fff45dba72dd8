package io.parley.server.session;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;

import org.springframework.web.socket.CloseStatus;

/**
 * What has come from the client of one session. Written by the reader of its socket;
 * times may be asked by any thread.
 */
final class ClientTraffic {

	static final CloseStatus TOO_MUCH_BEFORE_CONNECT = CloseStatus.TOO_BIG_TO_PROCESS
		.withReason("too much before CONNECT");

	/** CONNECT with the longest headers fits. */
	private static final int MAX_BYTES_BEFORE_CONNECT = 16 * 1024;

	private final AtomicBoolean waitsForConnect = new AtomicBoolean(true);

	private volatile boolean connected;

	private int bytesBeforeConnect;

	private volatile long lastRead = System.nanoTime();

	private boolean betweenFrames;

	/** A frame of the WebSocket came. */
	void heard() {
		this.lastRead = System.nanoTime();
	}

	/** CONNECT was accepted. */
	void connected() {
		this.connected = true;
	}

	/** True at the first call: CONNECT was accepted, or the socket has closed. */
	boolean stopsWaitingForConnect() {
		return this.waitsForConnect.getAndSet(false);
	}

	/**
	 * Whether so many bytes more may be read. Before CONNECT was accepted a socket gets
	 * few.
	 */
	boolean mayRead(int bytes) {
		if (this.connected) {
			return true;
		}
		this.bytesBeforeConnect = Math.addExact(this.bytesBeforeConnect, bytes);
		return this.bytesBeforeConnect <= MAX_BYTES_BEFORE_CONNECT;
	}

	/** A whole message came, one after the other. */
	void read(Object payload) {
		// Line ends may follow the NUL.
		this.betweenFrames = payload instanceof String text && text.stripTrailing().endsWith("\0");
	}

	/**
	 * Whether a line end that comes now is a heart-beat, not a part of a frame that the
	 * client sends in several messages.
	 */
	boolean betweenFrames() {
		return this.betweenFrames;
	}

	/** {@link System#nanoTime} when something came last. */
	long lastRead() {
		return this.lastRead;
	}

	/** When something came last. */
	Instant heardAt() {
		return Instant.now().minusNanos(System.nanoTime() - this.lastRead);
	}

}
