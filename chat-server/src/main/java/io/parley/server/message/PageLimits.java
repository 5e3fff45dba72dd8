package io.parley.server.message;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;

/**
 * Limits the memory used by pages of history, both while they are read and while they
 * wait for slow clients. Each user may request a few pages at once; further requests wait
 * for up to 5 seconds. Safe for use by many threads.
 */
@Component
class PageLimits {

	private static final int MAX_PER_USER = 4;

	/**
	 * A page of the longest messages takes about 3 MB, and the same again as JSON. More
	 * parallel reads would not be faster and would take CPU time from live messages.
	 */
	private static final int MAX_READING = Math.max(2, Runtime.getRuntime().availableProcessors());

	private static final int MAX_WAITING_BYTES = 64 * 1024 * 1024;

	private static final long MAX_WAIT_SECONDS = 5;

	private static final Supplier<ChatException> TOO_MANY_BY_USER = () -> ErrorCode.RATE_LIMITED
		.because("You read too many pages of history at once; wait for one of them.");

	private static final Supplier<ChatException> TOO_MANY = () -> ErrorCode.SERVER_BUSY
		.because("Too many clients are reading history; try again in a moment.");

	private final Semaphore reading = new Semaphore(MAX_READING, true);

	private final Semaphore waiting = new Semaphore(MAX_WAITING_BYTES, true);

	private final LoadingCache<String, Semaphore> byUser = Caffeine.newBuilder()
		.expireAfterAccess(Duration.ofMinutes(5))
		.build((user) -> new Semaphore(MAX_PER_USER, true));

	/**
	 * Reads a page and writes it to the response.
	 * @param read returns JSON
	 * @throws ChatException {@code rate-limited} if the user's other pages take too long,
	 * {@code server-busy} if those of all users do
	 */
	void page(String user, Supplier<byte[]> read, HttpServletResponse response) throws IOException {
		Semaphore own = this.byUser.get(user);
		acquire(own, 1, TOO_MANY_BY_USER);
		try {
			acquire(this.reading, 1, TOO_MANY);
			byte[] page;
			try {
				page = read.get();
			}
			finally {
				this.reading.release();
			}
			int bytes = Math.min(page.length, MAX_WAITING_BYTES);
			acquire(this.waiting, bytes, TOO_MANY);
			try {
				response.setContentType(MediaType.APPLICATION_JSON_VALUE);
				response.setContentLength(page.length);
				response.getOutputStream().write(page);
			}
			finally {
				this.waiting.release(bytes);
			}
		}
		finally {
			own.release();
		}
	}

	private static void acquire(Semaphore semaphore, int permits, Supplier<ChatException> exception) {
		try {
			if (!semaphore.tryAcquire(permits, MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
				throw exception.get();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw ErrorCode.SERVER_BUSY.because("The server is stopping; try again in a moment.");
		}
	}

}
