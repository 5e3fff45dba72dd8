package io.parley.notification.provider;

import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;

/** Permits one log entry per minute. Safe for use by many threads. */
final class LogThrottle {

	private static final long MINUTE = 60_000;

	private final AtomicLong last;

	private final Clock clock;

	LogThrottle(Clock clock) {
		this.clock = clock;
		this.last = new AtomicLong(clock.millis() - MINUTE);
	}

	boolean pass() {
		long now = this.clock.millis();
		long before = this.last.get();
		return now - before >= MINUTE && this.last.compareAndSet(before, now);
	}

}
