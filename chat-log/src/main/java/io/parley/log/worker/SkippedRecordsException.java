package io.parley.log.worker;

import java.util.function.LongSupplier;

/**
 * A batch begins above the offset that its reader has stored: the database is older than
 * it was when the reader began, for example restored from a backup. The reader then
 * begins again at the stored offset.
 */
public class SkippedRecordsException extends IllegalStateException {

	private SkippedRecordsException(String reader, int partition, long stored, long first) {
		super("Reader '" + reader + "' of partition " + partition + " would skip the records from offset " + stored
				+ " to " + (first - 1) + ": the database is older than it was. It reads again from offset " + stored);
	}

	/**
	 * Checks that a batch leaves out no record.
	 * @param stored the offset that the reader reads next, as the database knows it
	 * @param first the offset of the first record of the batch
	 * @param start asked for the offset of the oldest record of the log, only when the
	 * batch begins above the stored offset: what was removed can't be read again
	 * @throws SkippedRecordsException when it does
	 */
	public static void throwIfSkipped(String reader, int partition, long stored, long first, LongSupplier start) {
		if (first > stored && first > start.getAsLong()) {
			throw new SkippedRecordsException(reader, partition, stored, first);
		}
	}

}
