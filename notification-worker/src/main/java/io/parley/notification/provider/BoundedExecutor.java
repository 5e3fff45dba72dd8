package io.parley.notification.provider;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Runs each task on a virtual thread. A caller with one task too many blocks until a task
 * has ended.
 */
final class BoundedExecutor extends AbstractExecutorService {

	private final Semaphore free;

	private final ExecutorService threads = Executors
		.newThreadPerTaskExecutor(Thread.ofVirtual().name("fcm-send-", 0).factory());

	BoundedExecutor(int tasks) {
		this.free = new Semaphore(tasks);
	}

	@Override
	public void execute(Runnable task) {
		try {
			this.free.acquire();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RejectedExecutionException("interrupted while waiting for another task to end", ex);
		}
		try {
			this.threads.execute(() -> run(task));
		}
		catch (RejectedExecutionException ex) {
			this.free.release();
			throw ex;
		}
	}

	private void run(Runnable task) {
		try {
			task.run();
		}
		finally {
			this.free.release();
		}
	}

	@Override
	public void shutdown() {
		this.threads.shutdown();
	}

	@Override
	public List<Runnable> shutdownNow() {
		return this.threads.shutdownNow();
	}

	@Override
	public boolean isShutdown() {
		return this.threads.isShutdown();
	}

	@Override
	public boolean isTerminated() {
		return this.threads.isTerminated();
	}

	@Override
	public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
		return this.threads.awaitTermination(timeout, unit);
	}

}
