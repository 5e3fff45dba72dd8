package io.parley.store.log;

/** Thrown when the log was replaced while this process still reads the old one. */
public class NewerEpochException extends IllegalStateException {

	NewerEpochException(String reader, long epoch, long newer) {
		super("Reader '" + reader + "' has already reached epoch " + newer
				+ " of the log, but this process is in epoch " + epoch
				+ ": the log was replaced. Restart this process with the log that all others use.");
	}

}
