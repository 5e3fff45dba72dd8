package io.parley.loadtest.study.transports;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The outbound queue of one client of a server. A full queue blocks the senders.
 */
abstract class Subscriber {

	private static final int LONGEST_QUEUE = 2048;

	final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(LONGEST_QUEUE);

	private volatile boolean closed;

	/**
	 * Sends a message, and the queued ones together with it.
	 */
	abstract void deliver(byte[] first) throws IOException, InterruptedException;

	/**
	 * Adds a message. Blocks while the queue is full; drops the message when the client
	 * is gone.
	 */
	final void offer(byte[] message) throws InterruptedException {
		while (!this.closed && !this.queue.offer(message, 1, TimeUnit.SECONDS)) {
			Thread.onSpinWait();
		}
	}

	final void start() {
		Thread.ofVirtual().start(this::run);
	}

	private void run() {
		try {
			while (!this.closed) {
				byte[] first = this.queue.poll(1, TimeUnit.SECONDS);
				if (first != null) {
					deliver(first);
				}
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
	}

}
