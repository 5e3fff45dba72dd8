package io.parley.server.session;

import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.messaging.MessageHeaders;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.support.MessageHandlingRunnable;

/**
 * Executor of the client inbound channel that gives each session its own queue. The tasks
 * of one session run one at a time, in the order in which they were submitted. The tasks
 * of different sessions run concurrently on virtual threads and may block. So the frames
 * of a session are handled in order, and a slow session does not delay others.
 *
 * <p>
 * A SEND that finds an empty queue is handled by the calling thread if that is virtual.
 * The reader of a socket needs no other thread for it, and waits until it is handled.
 *
 * <p>
 * A queue is bounded in bytes. While it is full the caller waits, so that the socket is
 * not read any further.
 */
public final class SessionExecutor implements AsyncTaskExecutor {

	private static final Logger logger = LoggerFactory.getLogger(SessionExecutor.class);

	/** Headers and objects around a payload, roughly. */
	private static final int FRAME_OVERHEAD_BYTES = 512;

	private final ConcurrentHashMap<String, Lane> queues = new ConcurrentHashMap<>();

	private final Executor threads = Executors
		.newThreadPerTaskExecutor(Thread.ofVirtual().name("inbound-", 0).factory());

	private final long maxQueuedBytes;

	public SessionExecutor(long maxQueuedBytes) {
		this.maxQueuedBytes = maxQueuedBytes;
	}

	@Override
	public void execute(Runnable task) {
		if (task instanceof MessageHandlingRunnable handling) {
			MessageHeaders headers = handling.getMessage().getHeaders();
			String session = SimpMessageHeaderAccessor.getSessionId(headers);
			if (session != null) {
				execute(session, task, bytes(handling.getMessage().getPayload()), isSend(headers));
				return;
			}
		}
		this.threads.execute(task);
	}

	/** Other frames may take long: a SUBSCRIBE may replay many messages. */
	private static boolean isSend(MessageHeaders headers) {
		return SimpMessageHeaderAccessor.getMessageType(headers) == SimpMessageType.MESSAGE;
	}

	/** Runs a task of a session after all tasks that are already queued for it. */
	public void execute(String session, Runnable task) {
		execute(session, task, FRAME_OVERHEAD_BYTES, false);
	}

	private void execute(String session, Runnable task, int bytes, boolean byCaller) {
		Lane queue;
		do {
			queue = this.queues.computeIfAbsent(session, Lane::new);
		}
		while (!queue.offer(task, bytes, byCaller && Thread.currentThread().isVirtual()));
	}

	/** Returns the number of sessions that have tasks now. */
	public int activeSessions() {
		return this.queues.size();
	}

	/** Returns the maximum number of bytes in the queue of one session. */
	public long maxQueuedBytes() {
		return this.maxQueuedBytes;
	}

	private static int bytes(Object payload) {
		return FRAME_OVERHEAD_BYTES + ((payload instanceof byte[] bytes) ? bytes.length : 0);
	}

	private record Task(Runnable work, int bytes) {
	}

	private final class Lane {

		private final String session;

		/** The tasks after the one that runs. */
		private final ArrayDeque<Task> queue = new ArrayDeque<>();

		private long queuedBytes;

		private boolean started;

		private boolean retired;

		Lane(String session) {
			this.session = session;
		}

		/**
		 * Returns false if this queue has just been retired; then another one must be
		 * used.
		 * @param byCaller whether the calling thread runs the task if no other one runs
		 */
		boolean offer(Runnable work, int bytes, boolean byCaller) {
			Task task = new Task(work, bytes);
			synchronized (this) {
				if (!this.retired && !makeSpace(bytes)) {
					return true;
				}
				if (this.retired) {
					return false;
				}
				this.queuedBytes += bytes;
				if (this.started) {
					this.queue.add(task);
					return true;
				}
				this.started = true;
			}
			if (byCaller) {
				runOne(task);
			}
			else {
				SessionExecutor.this.threads.execute(() -> runAll(task));
			}
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
			return this.queue.isEmpty() || this.queuedBytes + bytes <= SessionExecutor.this.maxQueuedBytes;
		}

		private void runOne(Task task) {
			Task following = runAndGetNext(task);
			if (following != null) {
				SessionExecutor.this.threads.execute(() -> runAll(following));
			}
		}

		private void runAll(Task first) {
			Task task = first;
			while (task != null) {
				task = runAndGetNext(task);
			}
		}

		private @Nullable Task runAndGetNext(Task task) {
			try {
				task.work().run();
			}
			catch (Throwable ex) {
				logger.debug("Task of session {} failed", this.session, ex);
			}
			return next(task);
		}

		/**
		 * Returns the next task. The bytes of a task count until it is done, so that a
		 * blocked write counts.
		 */
		private synchronized @Nullable Task next(Task done) {
			this.queuedBytes -= done.bytes();
			notifyAll();
			Task task = this.queue.poll();
			if (task == null) {
				this.retired = true;
				SessionExecutor.this.queues.remove(this.session, this);
			}
			return task;
		}

	}

}
