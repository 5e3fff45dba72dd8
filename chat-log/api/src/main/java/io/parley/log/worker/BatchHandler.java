package io.parley.log.worker;

import java.time.Instant;
import java.util.List;

import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Handles the records of a reader. Each partition is handled by one thread; different
 * partitions are handled concurrently by different threads.
 */
public interface BatchHandler {

	/**
	 * Returns the offset to read next, as stored with the last effect. Called when this
	 * reader becomes the active one of the partition.
	 */
	long nextOffset(int partition);

	/** Returns when a record was written, or null if this is not known. Must be cheap. */
	default @Nullable Instant writtenAt(LogRecord record) {
		return null;
	}

	/**
	 * Handles the records and stores the offset after the last of them. If it throws, it
	 * is called again with the same records after a pause, so it must skip the records
	 * that it has stored already.
	 * @param batch at least one record, in the order of the log
	 * @throws SkippedRecordsException if the batch begins above the stored offset; the
	 * reader then resumes at the stored offset
	 */
	void handle(int partition, List<LogRecord> batch);

}
