package io.parley.loadtest.study.transports;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The outbound queue of one client of the {@link SocketServer}. A full queue blocks the
 * senders, so that TCP slows down their clients. Queued frames are sent in one write.
 */
final class SocketPeer {

	private static final int LONGEST_QUEUE = 2048;

	private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(LONGEST_QUEUE);

	private final Socket socket;

	private volatile boolean closed;

	SocketPeer(Socket socket) {
		this.socket = socket;
	}

	/**
	 * Adds a frame. Blocks while the queue is full; drops the frame when the client is
	 * closed.
	 */
	void offer(byte[] frame) throws InterruptedException {
		while (!this.closed && !this.queue.offer(frame, 1, TimeUnit.SECONDS)) {
			Thread.onSpinWait();
		}
	}

	/**
	 * Writes queued frames until the client disconnects.
	 */
	void write() {
		try {
			DataOutputStream out = new DataOutputStream(
					new BufferedOutputStream(this.socket.getOutputStream(), 1 << 16));
			while (!this.closed) {
				for (byte[] frame = this.queue.poll(1, TimeUnit.SECONDS); frame != null; frame = this.queue.poll()) {
					out.writeInt(frame.length);
					out.write(frame);
				}
				out.flush();
			}
		}
		catch (IOException ex) {
			close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	void close() {
		this.closed = true;
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			// The socket cannot be used any more in any case.
		}
	}

}
