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
 * Who may read: for each reader name and partition the one that came first; the others
 * wait in the order in which they came.
 */
final class LeaseQueue {

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Map<Key, Deque<Place>> lines = new HashMap<>();

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

	private record Key(String reader, int partition) {
	}

	/** A place in the line of one reader name and partition. */
	final class Place implements ReaderLease {

		/** Nobody takes a turn away, so that a place has one at the most. */
		private static final long TURN = 1;

		private final Key key;

		private @Nullable Supplier<RuntimeException> ended;

		private Place(Key key) {
			this.key = key;
		}

		/** Does nothing: whoever has a place stands in line. */
		@Override
		public void enter() {
		}

		/**
		 * Waits until this place is the first.
		 * @throws LogClosedException when this place was given up or the log was closed
		 */
		@Override
		public long await(long nanos) throws InterruptedException {
			LeaseQueue.this.lock.lockInterruptibly();
			try {
				long left = Math.max(1, nanos);
				while (!isFirst() && left > 0) {
					left = LeaseQueue.this.changed.awaitNanos(left);
				}
				return isFirst() ? TURN : 0;
			}
			finally {
				LeaseQueue.this.lock.unlock();
			}
		}

		/** Also after the log was closed: what was read before may be used. */
		@Override
		public boolean isStill(long turn) {
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
			Deque<Place> line = LeaseQueue.this.lines.get(this.key);
			if (line == null || !line.contains(this)) {
				throw new LogClosedException("The reader is closed");
			}
			return line;
		}

		/** Leaves the line; the next one becomes the first. */
		@Override
		public void leave() {
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
