package io.parley.log.worker;

/**
 * Thrown when a batch begins above the stored offset of its reader: the database was
 * restored to an earlier state, or the log lacks the records in between. The reader
 * resumes at the stored offset.
 */
public class SkippedRecordsException extends IllegalStateException {

	SkippedRecordsException(String reader, int partition, long stored, long first) {
		super("Reader '" + reader + "' of partition " + partition + " would skip the records from offset " + stored
				+ " to " + (first - 1)
				+ ": the database was restored to an earlier state, or the log lacks them. Reading resumes at offset "
				+ stored);
	}

}
