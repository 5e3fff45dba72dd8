package io.parley.log.embedded;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Appends that wait for the writer, bounded in number and bytes. Never blocks who
 * appends.
 */
final class AppendQueue {

	private static final int MAX_APPENDS = 65_536;

	private static final long MAX_BYTES = 32L * 1024 * 1024;

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private final Queue<EmbeddedPendingAppend> waiting = new ArrayDeque<>();

	private long bytes;

	private @Nullable String refusal;

	/** Takes the append, or says why not. */
	@Nullable String offer(EmbeddedPendingAppend append) {
		this.lock.lock();
		try {
			String trouble = trouble(append.data().length);
			if (trouble != null) {
				return trouble;
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

	/** Why an append would be refused now, or null. */
	@Nullable String trouble() {
		this.lock.lock();
		try {
			return trouble(1);
		}
		finally {
			this.lock.unlock();
		}
	}

	private @Nullable String trouble(int length) {
		if (this.refusal != null) {
			return this.refusal;
		}
		return (this.waiting.size() < MAX_APPENDS && this.bytes + length <= MAX_BYTES) ? null
				: "The log can't keep up: " + this.waiting.size() + " appends of " + this.bytes
						+ " bytes wait for the disk. Try again later, or use a faster disk";
	}

	/**
	 * What waits, oldest first, up to so many bytes but one at the least. Waits for it;
	 * empty when the queue refuses appends and all others are taken.
	 */
	List<EmbeddedPendingAppend> take(long maxBytes) {
		this.lock.lock();
		try {
			while (this.waiting.isEmpty() && this.refusal == null) {
				this.changed.awaitUninterruptibly();
			}
			// Sized in advance: an append that has left the queue must not get lost
			// because there is no memory left for the list.
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

	/** Takes no more appends, for that reason; an earlier reason stays. */
	void refuse(String reason) {
		this.lock.lock();
		try {
			if (this.refusal == null) {
				this.refusal = reason;
			}
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

}
