package io.parley.loadtest;

import java.util.List;

/**
 * The sessions of an idle trial, in this process or in several. The three steps come in
 * this order, each for all sessions at once, and all add to the measures of the trial.
 */
interface IdleLoad extends AutoCloseable {

	/**
	 * What can be said at the end of the hold only.
	 *
	 * @param from when the hold began, {@link System#nanoTime()}
	 * @param to when the last message was sent
	 * @param cores that the generator needed, all its processes together
	 */
	record Hold(long from, long to, double cores, double acceptedPerSecond, double deliveriesPerSecond) {

		static final Hold NONE = new Hold(0, 0, 0, 0, 0);

	}

	/** Shows in the report what processes of its own need, if it has some. */
	void watch(TrialReport report);

	/** Connects all at the pace that was asked; answers whether all are live. */
	boolean connect(List<Account> accounts);

	/** Sends for as long as was asked, then waits for what is under way. */
	Hold hold();

	/** Says goodbye for all. */
	void leave();

	TimeLine timeLine();

	/** For the report, as {@code this generator}. */
	String name();

	/** Of the generator, all its processes together. */
	Generator.Heap heap();

	@Override
	void close();

}
