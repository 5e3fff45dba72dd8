package io.parley.notification;

import java.time.Duration;
import java.util.function.LongSupplier;

/** A deadline that several waits, one after the other, share. */
final class Deadline {

	private final LongSupplier nanos;

	private final long end;

	/**
	 * Starts now.
	 * @param timeout the total time of all waits
	 * @param nanos the time source, such as {@link System#nanoTime}
	 */
	Deadline(Duration timeout, LongSupplier nanos) {
		this.nanos = nanos;
		this.end = nanos.getAsLong() + timeout.toNanos();
	}

	/** Returns the remaining time, never negative. */
	Duration remaining() {
		return Duration.ofNanos(Math.max(0, this.end - this.nanos.getAsLong()));
	}

}
