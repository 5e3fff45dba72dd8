package io.parley.log.worker;

import java.time.Instant;
import java.util.List;

import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * What a reader does with the records. Each partition is handled by one thread, different
 * partitions by different threads at once.
 */
public interface BatchHandler {

	/**
	 * The offset to read next, as stored with the last effect; asked when this reader
	 * becomes the active one of the partition.
	 */
	long nextOffset(int partition);

	/** When a record was written, null when that is not known. Must be cheap. */
	default @Nullable Instant writtenAt(LogRecord record) {
		return null;
	}

	/**
	 * Takes the records and stores the offset after the last of them. When it throws, it
	 * gets the same records again after a pause, so it must leave out what it has stored
	 * already.
	 * @param batch at least one record, in the order of the log
	 * @throws SkippedRecordsException when the batch begins above the stored offset: the
	 * reader then begins again there
	 */
	void handle(int partition, List<LogRecord> batch);

}
