package io.parley.store.log;

import io.parley.events.RecordFormat;

/** Thrown when records are written in a format that this build cannot read. */
public class NewerFormatException extends IllegalStateException {

	NewerFormatException(int version) {
		super("Records are written in format " + version + ", and this version of Parley reads formats up to "
				+ RecordFormat.NEWEST.version() + ": start a newer version.");
	}

}
