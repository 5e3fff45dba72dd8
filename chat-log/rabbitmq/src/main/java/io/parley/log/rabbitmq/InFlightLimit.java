package io.parley.log.rabbitmq;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Limits the unconfirmed appends over all partitions, in number and bytes. */
final class InFlightLimit {

	private static final long MAX_BYTES = 32L * 1024 * 1024;

	private final int maxAppends;

	private final AtomicInteger appends = new AtomicInteger();

	private final AtomicLong bytes = new AtomicLong();

	InFlightLimit(int maxAppends) {
		this.maxAppends = maxAppends;
	}

	boolean enter(int size) {
		boolean fits = this.bytes.addAndGet(size) <= MAX_BYTES & this.appends.incrementAndGet() <= this.maxAppends;
		if (!fits) {
			leave(size);
		}
		return fits;
	}

	long bytes() {
		return this.bytes.get();
	}

	boolean isFull() {
		return this.appends.get() >= this.maxAppends || this.bytes.get() >= MAX_BYTES;
	}

	void leave(int size) {
		this.appends.decrementAndGet();
		this.bytes.addAndGet(-size);
	}

	@Override
	public String toString() {
		return this.appends + " appends of " + this.bytes + " bytes";
	}

}
