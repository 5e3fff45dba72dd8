package io.parley.log.claim;

import java.util.function.Supplier;

/**
 * A place in the line of those that want to read a partition under the same name. At most
 * one of them all, in whatever process, has its turn.
 */
public interface ReaderLease {

	/** Stands in line, if it does not yet. */
	void enter();

	/**
	 * Waits for the turn.
	 * @return the number of the turn, or 0 when it did not come in time
	 */
	long await(long nanos) throws InterruptedException;

	/** Whether that turn still holds: records read in it may be used. */
	boolean isStill(long turn);

	/** Lets who waits fail with that cause. */
	void end(Supplier<RuntimeException> cause);

	/** Gives up the turn and the place. */
	void leave();

}
