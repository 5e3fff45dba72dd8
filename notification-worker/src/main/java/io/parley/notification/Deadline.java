package io.parley.notification;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A moment until which several waits, one after the other, may last together. */
final class Deadline {

	private final LongSupplier nanos;

	private final long end;

	/**
	 * Begins now.
	 * @param nanos the time, as {@link System#nanoTime} gives it
	 */
	Deadline(Duration longest, LongSupplier nanos) {
		this.nanos = nanos;
		this.end = nanos.getAsLong() + longest.toNanos();
	}

	/** How long may still be waited; not negative. */
	Duration left() {
		return Duration.ofNanos(Math.max(0, this.end - this.nanos.getAsLong()));
	}

}
