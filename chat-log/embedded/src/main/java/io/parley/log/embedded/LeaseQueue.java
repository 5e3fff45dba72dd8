package io.parley.log.embedded;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import io.parley.log.LogClosedException;

/**
 * Who may read: for each reader name and partition the one that came first; the others
 * wait in the order in which they came.
 */
final class LeaseQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<Key, Deque<Place>> lines = new HashMap<>();

	private boolean closed;

	/** Joins the line. */
	Place enter(String reader, int partition) {
		Place place = new Place(new Key(reader, partition));
		this.lock.lock();
		try {
			this.lines.computeIfAbsent(place.key, (key) -> new ArrayDeque<>()).add(place);
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

	/** A place in the line of one reader name and partition. */
	final class Place {

		private final Key key;

		private Place(Key key) {
			this.key = key;
		}

		/**
		 * Waits until this place is the first.
		 * @return the nanoseconds left, at least 1; 0 or less when the time is over
		 * @throws LogClosedException when this place was given up or the log was closed
		 */
		long awaitTurn(long nanos) throws InterruptedException {
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
			Deque<Place> line = LeaseQueue.this.lines.get(this.key);
			if (LeaseQueue.this.closed || line == null || !line.contains(this)) {
				throw new LogClosedException(LeaseQueue.this.closed ? "The log is closed" : "The reader is closed");
			}
			return line.peekFirst() == this;
		}

		/** Leaves the line; the next one becomes the first. */
		void leave() {
			LeaseQueue.this.lock.lock();
			try {
				LeaseQueue.this.lines.computeIfPresent(this.key,
						(key, line) -> (line.remove(this) && line.isEmpty()) ? null : line);
				LeaseQueue.this.changed.signalAll();
			}
			finally {
				LeaseQueue.this.lock.unlock();
			}
		}

	}

}
