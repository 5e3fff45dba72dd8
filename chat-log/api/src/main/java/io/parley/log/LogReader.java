package io.parley.log;

import java.time.Duration;
import java.util.List;

/**
 * Reads one partition from an offset. Used by one thread at a time, except
 * {@link #close}, which any thread may call. A reader buffers at most a few megabytes of
 * records that were not polled, however long it is idle.
 */
public interface LogReader extends AutoCloseable {

	/**
	 * Returns the next records in the order of their offsets. There are no gaps, except
	 * for records that were removed before they were read. Waits if there is none.
	 * @param maxRecords the maximum number of records; an adapter may return fewer
	 * although more are available
	 * @param timeout how long to wait for the first record
	 * @return an empty list if no record arrived in time, or while another reader of the
	 * same name is active
	 * @throws InterruptedException if interrupted while waiting
	 * @throws LogClosedException if the reader or its log was closed
	 * @throws LogUnavailableException if the log can't be read now; the message says what
	 * to do
	 * @throws LogReplacedException if this log can never be read again
	 */
	List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException;

	/**
	 * Closes the reader and releases its claim, if any. A waiting {@link #poll} ends with
	 * {@link LogClosedException}.
	 */
	@Override
	void close();

}
