package io.parley.log.worker;

/**
 * A batch begins above the offset that its reader has stored: the database is older than
 * it was when the reader began, for example restored from a backup. The reader then
 * begins again at the stored offset.
 */
public class SkippedRecordsException extends IllegalStateException {

	SkippedRecordsException(String reader, int partition, long stored, long first) {
		super("Reader '" + reader + "' of partition " + partition + " would skip the records from offset " + stored
				+ " to " + (first - 1) + ": the database is older than it was. It reads again from offset " + stored);
	}

}
