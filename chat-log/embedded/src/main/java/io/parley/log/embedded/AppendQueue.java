package io.parley.log.embedded;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Appends that wait for the writer, bounded in number and bytes. Never blocks the caller.
 */
final class AppendQueue {

	private static final int MAX_APPENDS = 65_536;

	private static final long MAX_BYTES = 32L * 1024 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<EmbeddedPendingAppend> waiting = new ArrayDeque<>();

	private long bytes;

	private @Nullable String closedReason;

	/** Adds the append. Returns null, or the reason why it is refused. */
	@Nullable String offer(EmbeddedPendingAppend append) {
		this.lock.lock();
		try {
			String reason = unavailableReason(append.data().length);
			if (reason != null) {
				return reason;
			}
			this.waiting.add(append);
			this.bytes += append.data().length;
			this.changed.signal();
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/** Returns why an append would be refused now, or null. */
	@Nullable String unavailableReason() {
		this.lock.lock();
		try {
			return unavailableReason(1);
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable String unavailableReason(int length) {
		if (this.closedReason != null) {
			return this.closedReason;
		}
		return (this.waiting.size() < MAX_APPENDS && this.bytes + length <= MAX_BYTES) ? null
				: "The log can't keep up: " + this.waiting.size() + " appends of " + this.bytes
						+ " bytes wait for the disk. Try again later, or use a faster disk";
	}

	/**
	 * Takes the waiting appends, oldest first, up to {@code maxBytes} but at least one.
	 * Waits for the first one. Returns an empty list when the queue refuses appends and
	 * no others are left.
	 */
	List<EmbeddedPendingAppend> take(long maxBytes) {
		this.lock.lock();
		try {
			while (this.waiting.isEmpty() && this.closedReason == null) {
				this.changed.awaitUninterruptibly();
			}
			// Sized in advance: appends that have left the queue must not get lost
			// because there is no memory for the list.
			List<EmbeddedPendingAppend> taken = new ArrayList<>(this.waiting.size());
			long size = 0;
			for (EmbeddedPendingAppend next = this.waiting.peek(); next != null
					&& fits(size, next, maxBytes); next = this.waiting.peek()) {
				taken.add(this.waiting.remove());
				size += next.data().length;
			}
			this.bytes -= size;
			return taken;
		}
		finally {
			this.lock.unlock();
		}
	}

	private static boolean fits(long size, EmbeddedPendingAppend next, long maxBytes) {
		return size == 0 || size + next.data().length <= maxBytes;
	}

	/** Refuses all further appends for this reason; an earlier reason is kept. */
	void refuse(String reason) {
		this.lock.lock();
		try {
			if (this.closedReason == null) {
				this.closedReason = reason;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
