package io.parley.events;

/**
 * A record of a later build that nobody may pass over who does not know its type: the
 * reader must stand still until a newer build takes its place.
 */
public class NewerRecordException extends IllegalStateException {

	NewerRecordException(String type) {
		super("An event '" + type + "' may only be read by a newer version of Parley: upgrade this process");
	}

}
