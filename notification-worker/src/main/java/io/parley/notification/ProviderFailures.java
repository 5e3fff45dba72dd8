package io.parley.notification;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How often the provider took nothing, one time after the other. Safe for all threads.
 */
final class ProviderFailures {

	private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

	private final AtomicInteger count = new AtomicInteger();

	void failed() {
		this.count.incrementAndGet();
	}

	void succeeded() {
		this.count.set(0);
	}

	/** Whether it took nothing the last time. */
	boolean any() {
		return this.count.get() > 0;
	}

	/** How long to leave it alone: longer each time, half a minute at the most. */
	Duration pause() {
		int failed = this.count.get();
		return (failed > 0) ? Duration.ofMillis(Math.min(LONGEST_PAUSE.toMillis(), 250L << Math.min(failed, 10)))
				: Duration.ZERO;
	}

}
