package io.parley.server.delivery;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.parley.server.limits.LimitProperties;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * The memory that all replays of this server may use together, for events that were read
 * and that no socket has taken yet. Safe for use by many threads.
 */
@Component
class ReplayBudget {

	private static final int UNIT_BYTES = 1024;

	private static final long LONGEST_WAIT_SECONDS = 5;

	/**
	 * Number of replays that read at once, so that the store has capacity for other
	 * requests.
	 */
	private final Semaphore readers = new Semaphore(32);

	private final int units;

	private final Semaphore free;

	ReplayBudget(LimitProperties limits) {
		long bytes = limits.replayBytes().toBytes();
		this.units = (bytes > 0) ? (int) Math.min(Integer.MAX_VALUE, Math.ceilDiv(bytes, UNIT_BYTES))
				: Integer.MAX_VALUE;
		this.free = new Semaphore(this.units, true);
	}

	/** Waits for a permit and reads. The supplier must not wait for a client. */
	<T> T read(Supplier<T> read) throws InterruptedException {
		this.readers.acquire();
		try {
			return read.get();
		}
		finally {
			this.readers.release();
		}
	}

	/**
	 * Takes memory for events. Waits for it, up to 5 seconds.
	 * @return the memory, or null if there was not enough in time
	 */
	@Nullable Taken take(long bytes) throws InterruptedException {
		int wanted = (int) Math.min(this.units, Math.ceilDiv(bytes, UNIT_BYTES));
		return this.free.tryAcquire(wanted, LONGEST_WAIT_SECONDS, TimeUnit.SECONDS) ? new Taken(this.free, wanted)
				: null;
	}

	/** Memory for some events. Must be closed once. */
	record Taken(Semaphore from, int units) implements AutoCloseable {

		@Override
		public void close() {
			this.from.release(this.units);
		}

	}

}
