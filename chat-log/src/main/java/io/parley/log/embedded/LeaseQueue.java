package io.parley.log.embedded;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.parley.log.LogClosedException;

/**
 * The queues of readers, one for each reader name and partition. The first reader of a
 * queue holds the lease; the others wait in the order in which they joined.
 */
final class LeaseQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<Key, Deque<Place>> queues = new HashMap<>();

	private boolean closed;

	/** Joins the queue. */
	Place enter(String reader, int partition) {
		Place place = new Place(new Key(reader, partition));
		this.lock.lock();
		try {
			this.queues.computeIfAbsent(place.key, (key) -> new ArrayDeque<>()).add(place);
			return place;
		}
		finally {
			this.lock.unlock();
		}
	}

	void close() {
		this.lock.lock();
		try {
			this.closed = true;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Key(String reader, int partition) {
	}

	/** A place in the queue of one reader name and partition. */
	final class Place {

		private final Key key;

		private Place(Key key) {
			this.key = key;
		}

		/**
		 * Waits until this place is the first.
		 * @return the nanoseconds left, at least 1; 0 or less if the time has elapsed
		 * @throws LogClosedException if this place was given up or the log was closed
		 */
		long awaitLease(long nanos) throws InterruptedException {
			LeaseQueue.this.lock.lockInterruptibly();
			try {
				long left = Math.max(1, nanos);
				while (!isFirst() && left > 0) {
					left = LeaseQueue.this.changed.awaitNanos(left);
				}
				return isFirst() ? Math.max(1, left) : 0;
			}
			finally {
				LeaseQueue.this.lock.unlock();
			}
		}

		private boolean isFirst() {
			Deque<Place> queue = LeaseQueue.this.queues.get(this.key);
			if (LeaseQueue.this.closed || queue == null || !queue.contains(this)) {
				throw new LogClosedException(LeaseQueue.this.closed ? "The log is closed" : "The reader is closed");
			}
			return queue.peekFirst() == this;
		}

		/** Leaves the queue; the next place becomes the first. */
		void leave() {
			LeaseQueue.this.lock.lock();
			try {
				LeaseQueue.this.queues.computeIfPresent(this.key,
						(key, queue) -> (queue.remove(this) && queue.isEmpty()) ? null : queue);
				LeaseQueue.this.changed.signalAll();
			}
			finally {
				LeaseQueue.this.lock.unlock();
			}
		}

	}

}
