package io.parley.server.message;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.parley.server.refusal.Refusal;
import io.parley.server.refusal.RefusedException;

import org.springframework.stereotype.Component;

/**
 * Bounds the memory of pages of history: of those that are read, and of those that wait
 * for slow clients. One user gets few at once.
 */
@Component
class PageLimits {

	private static final int MAX_OF_USER = 4;

	/** A page of the longest messages is about 3 MB, and as much again as JSON. */
	private static final int MAX_READING = 8;

	private static final int MAX_WAITING_BYTES = 64 * 1024 * 1024;

	private static final long LONGEST_WAIT_SECONDS = 5;

	private final Semaphore reading = new Semaphore(MAX_READING, true);

	private final Semaphore waiting = new Semaphore(MAX_WAITING_BYTES, true);

	private final Map<String, Integer> byUser = new ConcurrentHashMap<>();

	/** What sends a page to its client. */
	@FunctionalInterface
	interface Send<X extends Exception> {

		void send(byte[] page) throws X;

	}

	/**
	 * Reads a page and sends it.
	 * @throws RefusedException {@code rate-limited} when the user has too many pages
	 * under way, {@code server-busy} when all have
	 */
	<X extends Exception> void page(String user, Supplier<byte[]> read, Send<X> send) throws X {
		enter(user);
		try {
			take(this.reading, 1);
			byte[] page;
			try {
				page = read.get();
			}
			finally {
				this.reading.release();
			}
			int bytes = Math.min(page.length, MAX_WAITING_BYTES);
			take(this.waiting, bytes);
			try {
				send.send(page);
			}
			finally {
				this.waiting.release(bytes);
			}
		}
		finally {
			this.byUser.computeIfPresent(user, (key, count) -> (count > 1) ? count - 1 : null);
		}
	}

	private void enter(String user) {
		this.byUser.compute(user, (key, count) -> {
			if (count != null && count >= MAX_OF_USER) {
				throw Refusal.RATE_LIMITED
					.because("You read " + MAX_OF_USER + " pages of history already; wait for one of them.");
			}
			return (count != null) ? count + 1 : 1;
		});
	}

	private static void take(Semaphore semaphore, int permits) {
		try {
			if (!semaphore.tryAcquire(permits, LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
				throw Refusal.SERVER_BUSY.because("Too many read history now; try again in a moment.");
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw Refusal.SERVER_BUSY.because("The server is stopping; try again in a moment.");
		}
	}

}
