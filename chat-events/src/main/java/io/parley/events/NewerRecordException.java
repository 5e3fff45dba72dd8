package io.parley.events;

/**
 * Thrown for a record of a later build that a reader must not skip if it does not know
 * the type. The reader must wait until a newer build replaces it.
 */
public class NewerRecordException extends IllegalStateException {

	NewerRecordException(String type) {
		super("An event '" + type + "' may only be read by a newer version of Parley: upgrade this process");
	}

}
