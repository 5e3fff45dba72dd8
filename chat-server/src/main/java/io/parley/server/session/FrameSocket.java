package io.parley.server.session;

import java.util.List;

import org.springframework.web.socket.CloseStatus;

/** Where an {@link Outbox} puts its frames. No method waits for the network. */
interface FrameSocket {

	/**
	 * Writes WebSocket frames in order, with as few calls of the operating system as
	 * possible. Not to be called before the ones before are done.
	 * @param done called once, by any thread: the network took them all, or never will
	 */
	void write(List<byte[]> frames, Runnable done);

	/** Says goodbye, after all that was written. */
	void close(CloseStatus status);

	/** Ends the connection at once. */
	void cut();

}
