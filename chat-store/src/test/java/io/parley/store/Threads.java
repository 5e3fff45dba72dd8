package io.parley.store;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Runs calls in threads other than that of the test. */
public final class Threads {

	private static final int SECONDS = 60;

	private Threads() {
	}

	/**
	 * Runs the call in all threads at the same moment. Fails if one of the calls fails.
	 */
	public static <T> List<T> atOnce(int threads, IntFunction<T> attempt) {
		CountDownLatch start = new CountDownLatch(1);
		try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
			List<Future<T>> results = IntStream.range(0, threads)
				.mapToObj((thread) -> executor.submit((Callable<T>) () -> {
					start.await();
					return attempt.apply(thread);
				}))
				.toList();
			start.countDown();
			return results.stream().map(Threads::result).toList();
		}
	}

	/** Returns the result of a call in another thread, which has its own transaction. */
	public static <T> T elsewhere(Callable<T> call) {
		try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
			return result(executor.submit(call));
		}
	}

	/** Runs something in another thread, and waits until it ends. */
	public static void runElsewhere(Runnable work) {
		elsewhere(Executors.callable(work));
	}

	private static <T> T result(Future<T> future) {
		try {
			return future.get(SECONDS, TimeUnit.SECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new AssertionError(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

}
