package io.parley.server.websocket;

import org.springframework.web.socket.CloseStatus;

/**
 * The socket to which an {@link Outbox} writes its frames. No method waits for the
 * network.
 */
public interface FrameSocket {

	/**
	 * Writes WebSocket frames. Must not be called before the previous write is done.
	 * @param frames one frame or more, one directly after the other; must not be changed
	 * afterwards
	 * @param done called once, by any thread, when the network has taken all frames or
	 * never will
	 */
	void write(byte[] frames, Runnable done);

	/** Sends a close frame after everything that was written. */
	void close(CloseStatus status);

	/** Aborts the connection at once. */
	void abort();

}
