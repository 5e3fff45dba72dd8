package io.parley.server.session;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.support.MessageHandlingRunnable;

/**
 * Executor of the client inbound channel that gives each session a lane of its own: tasks
 * of one session run one after the other in the order they came, tasks of different
 * sessions run side by side on virtual threads and may wait. So the frames of a session
 * are handled in order, and a slow one holds up nobody else.
 *
 * <p>
 * A lane is bounded in bytes. While it is full the caller waits: the socket is read no
 * further.
 */
public final class SessionExecutor implements AsyncTaskExecutor {

	private static final Logger logger = LoggerFactory.getLogger(SessionExecutor.class);

	/** Headers and objects around a payload, roughly. */
	private static final int FRAME_OVERHEAD_BYTES = 512;

	private final ConcurrentHashMap<String, Lane> lanes = new ConcurrentHashMap<>();

	private final Executor threads = Executors
		.newThreadPerTaskExecutor(Thread.ofVirtual().name("inbound-", 0).factory());

	private final long laneBytes;

	public SessionExecutor(long laneBytes) {
		this.laneBytes = laneBytes;
	}

	@Override
	public void execute(Runnable task) {
		String session = (task instanceof MessageHandlingRunnable handling)
				? SimpMessageHeaderAccessor.getSessionId(handling.getMessage().getHeaders()) : null;
		if (session == null) {
			this.threads.execute(task);
			return;
		}
		execute(session, task, bytes(((MessageHandlingRunnable) task).getMessage().getPayload()));
	}

	/** Runs a task in the lane of a session, after all that is in it. */
	public void execute(String session, Runnable task) {
		execute(session, task, FRAME_OVERHEAD_BYTES);
	}

	private void execute(String session, Runnable task, int bytes) {
		Lane lane;
		do {
			lane = this.lanes.computeIfAbsent(session, Lane::new);
		}
		while (!lane.offer(task, bytes));
	}

	/** How many sessions have something to do now. */
	public int busy() {
		return this.lanes.size();
	}

	/** How many bytes a lane holds at the most. */
	public long laneBytes() {
		return this.laneBytes;
	}

	private static int bytes(Object payload) {
		return FRAME_OVERHEAD_BYTES + ((payload instanceof byte[] bytes) ? bytes.length : 0);
	}

	private record Task(Runnable work, int bytes) {
	}

	private final class Lane implements Runnable {

		private final String session;

		private final ArrayDeque<Task> queue = new ArrayDeque<>();

		private long queuedBytes;

		private boolean started;

		private boolean retired;

		Lane(String session) {
			this.session = session;
		}

		/** False when the lane has just been retired and another must be taken. */
		boolean offer(Runnable work, int bytes) {
			synchronized (this) {
				if (this.retired) {
					return false;
				}
				if (!makeSpace(bytes)) {
					return true;
				}
				if (this.retired) {
					return false;
				}
				this.queue.add(new Task(work, bytes));
				this.queuedBytes += bytes;
				if (this.started) {
					return true;
				}
				this.started = true;
			}
			SessionExecutor.this.threads.execute(this);
			return true;
		}

		private boolean makeSpace(int bytes) {
			while (!fits(bytes) && !this.retired) {
				try {
					wait();
				}
				catch (InterruptedException ex) {
					Thread.currentThread().interrupt();
					return false;
				}
			}
			return true;
		}

		private boolean fits(int bytes) {
			return this.queue.isEmpty() || this.queuedBytes + bytes <= SessionExecutor.this.laneBytes;
		}

		@Override
		public void run() {
			Task task = next(null);
			while (task != null) {
				try {
					task.work().run();
				}
				catch (Throwable ex) {
					logger.debug("Task of session {} failed", this.session, ex);
				}
				task = next(task);
			}
		}

		/** The bytes of a task count until it is done, so that a blocked write counts. */
		private synchronized @Nullable Task next(@Nullable Task done) {
			if (done != null) {
				this.queuedBytes -= done.bytes();
				notifyAll();
			}
			Task task = this.queue.poll();
			if (task == null) {
				this.retired = true;
				SessionExecutor.this.lanes.remove(this.session, this);
			}
			return task;
		}

	}

}
