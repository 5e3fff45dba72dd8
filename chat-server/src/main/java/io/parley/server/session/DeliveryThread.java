package io.parley.server.session;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread of the {@link DeliveryThreadPool}. It runs submitted tasks in order and,
 * between them, the writes that these tasks have queued. Passing each write to another
 * thread would cost more than the write itself.
 */
final class DeliveryThread implements Executor, Runnable {

	private static final Logger log = LoggerFactory.getLogger(DeliveryThread.class);

	/** Number of tasks that run before the frames that they have queued are written. */
	private static final int MAX_TASKS_PER_ROUND = 64;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> writes = new ArrayDeque<>();

	private final Thread thread;

	private volatile boolean sleeping;

	private volatile boolean stopped;

	DeliveryThread(String name) {
		this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
		this.thread.start();
	}

	/** Runs a task after all tasks submitted before. The task must not block. */
	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		if (this.sleeping) {
			LockSupport.unpark(this.thread);
		}
	}

	/** Runs a write soon. The order of writes relative to other tasks is not defined. */
	void write(Runnable write) {
		if (Thread.currentThread() == this.thread) {
			this.writes.add(write);
		}
		else {
			execute(write);
		}
	}

	@Override
	public void run() {
		while (!this.stopped) {
			int ran = run(this.tasks, MAX_TASKS_PER_ROUND);
			// Writes queued by these run in the next round, after the tasks that are
			// waiting by then.
			ran += run(this.writes, this.writes.size());
			if (ran == 0) {
				sleep();
			}
		}
	}

	private static int run(Queue<Runnable> queue, int limit) {
		for (int ran = 0; ran < limit; ran++) {
			Runnable task = queue.poll();
			if (task == null) {
				return ran;
			}
			run(task);
		}
		return limit;
	}

	private static void run(Runnable task) {
		try {
			task.run();
		}
		catch (RuntimeException | Error ex) {
			log.error("A delivery failed", ex);
		}
	}

	private void sleep() {
		this.sleeping = true;
		if (this.tasks.isEmpty() && !this.stopped) {
			LockSupport.park(this);
		}
		this.sleeping = false;
	}

	void stop() {
		this.stopped = true;
		LockSupport.unpark(this.thread);
	}

}
