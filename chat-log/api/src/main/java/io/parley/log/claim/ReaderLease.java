package io.parley.log.claim;

import java.util.function.Supplier;

/**
 * The lease to read a partition under one name. Of all readers with that name, in any
 * process, at most one holds the lease; the others wait in a queue. Each acquisition of
 * the lease begins a new term.
 */
public interface ReaderLease {

	/** Joins the queue, unless this reader is already in it. */
	void enter();

	/**
	 * Waits for the lease.
	 * @return the number of the term, or 0 if the lease was not acquired in time
	 */
	long await(long nanos) throws InterruptedException;

	/**
	 * Returns whether the lease is still held in this term: records read in the term may
	 * be used.
	 */
	boolean isHeld(long term);

	/** Fails all waiting callers with this cause. */
	void end(Supplier<RuntimeException> cause);

	/** Releases the lease and leaves the queue. */
	void leave();

}
