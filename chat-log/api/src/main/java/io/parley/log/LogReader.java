package io.parley.log;

import java.time.Duration;
import java.util.List;

/**
 * Reads one partition from an offset on. Used by one thread at a time, except
 * {@link #close}, which any thread may call. It holds at most a few megabytes that were
 * not asked for, however long it stands still.
 */
public interface LogReader extends AutoCloseable {

	/**
	 * The next records in the order of their offsets, without holes but for records that
	 * were let go before they were read. Waits when there is none.
	 * @param maxRecords how many at the most; an adapter may return fewer although more
	 * are there
	 * @param timeout how long to wait for the first
	 * @return empty when none came in time, or while another reader of the same name is
	 * active
	 * @throws InterruptedException when interrupted while waiting
	 * @throws LogClosedException when the reader or its log was closed
	 * @throws LogUnavailableException when the log can't be read now; the message says
	 * what to do
	 * @throws LogReplacedException when it never can be again
	 */
	List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException;

	/**
	 * Gives up the place; a waiting {@link #poll} ends with {@link LogClosedException}.
	 */
	@Override
	void close();

}
