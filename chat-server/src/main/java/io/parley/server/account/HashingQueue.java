package io.parley.server.account;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

import io.parley.server.error.ErrorCode;
import jakarta.annotation.PreDestroy;

import org.springframework.stereotype.Component;

/**
 * Runs password hashing, which is slow by design, on at most half of the processors, so
 * that it cannot starve message traffic. The queue is bounded per purpose and fair
 * between client addresses: one address may occupy at most half of the queue, and the
 * first job of an address runs before all further jobs of other addresses. Safe for use
 * by many threads.
 */
@Component
class HashingQueue {

	private static final int MAX_WAITING = 32;

	/** Keeps one address from filling the whole queue. */
	private static final int MAX_WAITING_PER_ADDRESS = MAX_WAITING / 2;

	private static final Duration MAX_WAIT = Duration.ofSeconds(5);

	private final ThreadPoolExecutor threads;

	private final Map<Purpose, Semaphore> permits = new ConcurrentHashMap<>();

	private final Map<String, Integer> waitingByAddress = new ConcurrentHashMap<>();

	private final AtomicLong sequence = new AtomicLong();

	HashingQueue() {
		int count = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
		this.threads = new ThreadPoolExecutor(count, count, 1, TimeUnit.MINUTES, new PriorityBlockingQueue<>(),
				Thread.ofPlatform().daemon().name("password-", 0).factory());
		this.threads.allowCoreThreadTimeOut(true);
	}

	/**
	 * Each purpose has a queue limit of its own, so that sign-ins, registrations and
	 * changes of passwords cannot block each other.
	 */
	enum Purpose {

		SIGN_IN, REGISTRATION, PASSWORD_CHANGE

	}

	/**
	 * Queues a job, waits for it and returns its result. Waits up to 5 seconds.
	 * @param address the client's address, as a key
	 * @throws io.parley.server.error.ChatException if the job throws one, or
	 * {@code server-busy} if the queue is full or the job does not finish in time
	 */
	<T> T run(Purpose purpose, String address, Callable<T> job) {
		Semaphore permit = this.permits.computeIfAbsent(purpose, (key) -> new Semaphore(MAX_WAITING));
		if (!permit.tryAcquire()) {
			throw busy();
		}
		int rank = this.waitingByAddress.merge(address, 1, Integer::sum);
		Job<T> task = new Job<>(job, rank, this.sequence.incrementAndGet());
		try {
			if (rank > MAX_WAITING_PER_ADDRESS) {
				throw busy();
			}
			this.threads.execute(task);
			return task.get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			task.cancel(false);
			this.threads.remove(task);
			throw busy();
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : new IllegalStateException(ex.getCause());
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw busy();
		}
		finally {
			this.waitingByAddress.computeIfPresent(address, (key, count) -> (count > 1) ? count - 1 : null);
			permit.release();
		}
	}

	private static RuntimeException busy() {
		return ErrorCode.SERVER_BUSY.because("Too many sign-ins at once; try again in a moment.",
				Duration.ofSeconds(2));
	}

	@PreDestroy
	void stop() {
		this.threads.shutdownNow();
	}

	/**
	 * A queued job. Jobs with a lower rank run first; among equal ranks, the older one.
	 */
	private static final class Job<T> extends FutureTask<T> implements Comparable<Job<?>> {

		private final int rank;

		private final long sequence;

		Job(Callable<T> work, int rank, long sequence) {
			super(work);
			this.rank = rank;
			this.sequence = sequence;
		}

		@Override
		public int compareTo(Job<?> other) {
			return (this.rank != other.rank) ? Integer.compare(this.rank, other.rank)
					: Long.compare(this.sequence, other.sequence);
		}

	}

}
