package io.parley.log.embedded;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.parley.log.LogClosedException;
import io.parley.log.claim.ReaderLease;
import org.jspecify.annotations.Nullable;

/**
 * The queues of readers, one for each reader name and partition. The first reader of a
 * queue holds the lease; the others wait in the order in which they joined.
 */
final class LeaseQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<Key, Deque<Place>> queues = new HashMap<>();

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

	private record Key(String reader, int partition) {
	}

	/** A place in the queue of one reader name and partition. */
	final class Place implements ReaderLease {

		/** The only term of a place, because a lease is never revoked. */
		private static final long TERM = 1;

		private final Key key;

		private @Nullable Supplier<RuntimeException> ended;

		private Place(Key key) {
			this.key = key;
		}

		/** Does nothing, because a place is in the queue from the beginning. */
		@Override
		public void enter() {
		}

		/**
		 * Waits until this place is the first.
		 * @return the term, or 0 if the time has elapsed
		 * @throws LogClosedException if this place was given up or the log was closed
		 */
		@Override
		public long await(long nanos) throws InterruptedException {
			LeaseQueue.this.lock.lockInterruptibly();
			try {
				long left = Math.max(1, nanos);
				while (!isFirst() && left > 0) {
					left = LeaseQueue.this.changed.awaitNanos(left);
				}
				return isFirst() ? TERM : 0;
			}
			finally {
				LeaseQueue.this.lock.unlock();
			}
		}

		/**
		 * Holds after the log was closed too, so that records read before may be used.
		 */
		@Override
		public boolean isHeld(long term) {
			LeaseQueue.this.lock.lock();
			try {
				requirePlace();
				return true;
			}
			finally {
				LeaseQueue.this.lock.unlock();
			}
		}

		@Override
		public void end(Supplier<RuntimeException> cause) {
			LeaseQueue.this.lock.lock();
			try {
				this.ended = cause;
				LeaseQueue.this.changed.signalAll();
			}
			finally {
				LeaseQueue.this.lock.unlock();
			}
		}

		private boolean isFirst() {
			if (this.ended != null) {
				throw this.ended.get();
			}
			return requirePlace().peekFirst() == this;
		}

		private Deque<Place> requirePlace() {
			Deque<Place> queue = LeaseQueue.this.queues.get(this.key);
			if (queue == null || !queue.contains(this)) {
				throw new LogClosedException("The reader is closed");
			}
			return queue;
		}

		/** Leaves the queue; the next place becomes the first. */
		@Override
		public void leave() {
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
