package io.parley.loadtest.study.transports;

import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The outbound queue of one client of the {@link RmiServer}. One call at a time delivers
 * all queued messages. A full queue blocks the senders.
 */
final class RmiLane {

	private static final int LONGEST_QUEUE = 2048;

	/**
	 * Each call in progress uses a connection and a thread at the receiver.
	 */
	private static final Semaphore CALLS = new Semaphore(64);

	private final BlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(LONGEST_QUEUE);

	private final RmiReceiver receiver;

	private volatile boolean closed;

	RmiLane(RmiReceiver receiver) {
		this.receiver = receiver;
		Thread.ofVirtual().start(this::run);
	}

	void offer(byte[] message) throws InterruptedException {
		while (!this.closed && !this.queue.offer(message, 1, TimeUnit.SECONDS)) {
			Thread.onSpinWait();
		}
	}

	private void run() {
		try {
			while (!this.closed) {
				byte[] first = this.queue.poll(1, TimeUnit.SECONDS);
				if (first != null) {
					call(first);
				}
			}
		}
		catch (RemoteException ex) {
			close();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void call(byte[] first) throws RemoteException, InterruptedException {
		CALLS.acquire();
		try {
			List<byte[]> messages = new ArrayList<>();
			messages.add(first);
			this.queue.drainTo(messages);
			this.receiver.receive(messages.toArray(byte[][]::new));
		}
		finally {
			CALLS.release();
		}
	}

	void close() {
		this.closed = true;
	}

}
