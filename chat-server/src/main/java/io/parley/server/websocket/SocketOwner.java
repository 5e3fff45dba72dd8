package io.parley.server.websocket;

import java.nio.ByteBuffer;

import org.springframework.web.socket.CloseStatus;

/**
 * The owner of a WebSocket: it is told what arrives, and its {@link Outbox} sends what
 * leaves. No method waits for the network.
 */
public interface SocketOwner {

	/**
	 * Called for each WebSocket frame before anything else, in order.
	 * @param bytes the length of the payload
	 * @return whether the frame may be read
	 */
	boolean frameReceived(int bytes);

	/** Called instead of reading a frame that may not be read. Closes the socket. */
	void rejectFrame();

	/**
	 * Returns whether a whole text message is only a heart-beat. Does not consume the
	 * message.
	 */
	boolean isHeartBeat(ByteBuffer message);

	/**
	 * Sends a frame after the frames that are already queued.
	 * @param frame must not be changed afterwards
	 */
	void send(byte[] frame);

	/** Drops queued frames, and runs {@code next} when no write is in progress. */
	void finish(Runnable next);

	/** Closes the socket after the queued frames are written. */
	void close(CloseStatus status);

}
