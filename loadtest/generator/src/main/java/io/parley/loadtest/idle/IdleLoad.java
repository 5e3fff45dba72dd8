package io.parley.loadtest.idle;

import java.util.List;

import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.trial.ConsoleReport;
import io.parley.loadtest.trial.Trial;
import io.parley.loadtest.user.Account;

/**
 * The sessions of an idle trial, in this process or in several. The three steps must be
 * called in this order. Each applies to all sessions at once and adds to the measures of
 * the trial.
 */
interface IdleLoad extends AutoCloseable {

	/**
	 * Figures that are only known at the end of the hold.
	 *
	 * @param from the start of the hold, as {@link System#nanoTime()}
	 * @param to the time of the last message, as {@link System#nanoTime()}
	 * @param cores that the generator used, all its processes together
	 */
	record Hold(long from, long to, double cores, double acceptedPerSecond, double deliveriesPerSecond) {

		static final Hold NONE = new Hold(0, 0, 0, 0, 0);

	}

	/**
	 * Adds the resource use of further processes to the report, if there are any.
	 */
	void watch(Trial trial);

	/**
	 * Connects all sessions at the configured rate.
	 * @return whether all are live
	 */
	boolean connect(List<Account> accounts);

	/**
	 * Sends for the configured time, then waits for the deliveries in flight.
	 */
	Hold hold();

	void leave();

	TimeLine timeLine();

	/**
	 * Prints the resource use of the generator, all its processes together.
	 */
	void print(ConsoleReport console, double cores);

	@Override
	void close();

}
