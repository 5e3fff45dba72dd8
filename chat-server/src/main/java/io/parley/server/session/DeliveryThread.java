package io.parley.server.session;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of the {@link DeliveryThreadPool}. It runs what it is given in order, and in
 * between what it has given itself: a hand-over between threads for each write would cost
 * more than the write.
 */
final class DeliveryThread implements Executor, Runnable {

	private static final Logger log = LoggerFactory.getLogger(DeliveryThread.class);

	/** So many events are handed out before the frames they made are written. */
	private static final int GATHERED = 64;

	private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

	private final Queue<Runnable> writes = new ArrayDeque<>();

	private final Thread thread;

	private volatile boolean sleeping;

	private volatile boolean stopped;

	DeliveryThread(String name) {
		this.thread = Thread.ofPlatform().daemon().name(name).unstarted(this);
		this.thread.start();
	}

	/** Runs a task after all that were given before. It may not wait. */
	@Override
	public void execute(Runnable task) {
		this.tasks.add(task);
		if (this.sleeping) {
			LockSupport.unpark(this.thread);
		}
	}

	/** Runs a write soon; the order of writes among others does not matter. */
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
			int ran = run(this.tasks, GATHERED);
			// Writes that these make are for the next round, after what waits by then.
			ran += run(this.writes, this.writes.size());
			if (ran == 0) {
				sleep();
			}
		}
	}

	private static int run(Queue<Runnable> queue, int most) {
		for (int ran = 0; ran < most; ran++) {
			Runnable task = queue.poll();
			if (task == null) {
				return ran;
			}
			run(task);
		}
		return most;
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
