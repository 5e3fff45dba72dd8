package io.parley.notification;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the consecutive calls in which the provider accepted nothing. Safe for use by
 * many threads.
 */
final class ProviderFailures {

	private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

	private final AtomicInteger count = new AtomicInteger();

	void failed() {
		this.count.incrementAndGet();
	}

	void succeeded() {
		this.count.set(0);
	}

	/** Returns whether the provider accepted nothing in the last call. */
	boolean any() {
		return this.count.get() > 0;
	}

	/**
	 * Returns how long to wait before the next call. The pause doubles with each failure,
	 * up to half a minute.
	 */
	Duration pause() {
		int failed = this.count.get();
		return (failed > 0) ? Duration.ofMillis(Math.min(MAX_PAUSE.toMillis(), 250L << Math.min(failed, 10)))
				: Duration.ZERO;
	}

}
