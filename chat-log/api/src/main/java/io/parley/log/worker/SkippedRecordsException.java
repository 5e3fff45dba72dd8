package io.parley.log.worker;

/**
 * A batch begins above the offset that its reader has stored: the database was set back,
 * for example by a restore, or the log lacks the records in between. The reader begins
 * again at the stored offset.
 */
public class SkippedRecordsException extends IllegalStateException {

	SkippedRecordsException(String reader, int partition, long stored, long first) {
		super("Reader '" + reader + "' of partition " + partition + " would skip the records from offset " + stored
				+ " to " + (first - 1)
				+ ": the database is older than it was, or the log lacks them. It reads again from offset " + stored);
	}

}
