package io.parley.store.log;

/** The log was replaced while this process still reads the old one. */
public class NewerEpochException extends IllegalStateException {

	NewerEpochException(String reader, long epoch, long newer) {
		super("Reader '" + reader + "' is in epoch " + newer + " of the log already, this process in epoch " + epoch
				+ ": the log was replaced. Restart this process with the log that all others use.");
	}

}
