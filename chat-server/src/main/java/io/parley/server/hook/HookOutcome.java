package io.parley.server.hook;

import java.util.Locale;

/** How a call of the program ended; the tag {@code outcome} of its metric. */
enum HookOutcome {

	/** The message may be accepted. */
	ALLOWED,

	/** The message must not be accepted. */
	REFUSED,

	/** There was no answer within the deadline. */
	TIMEOUT,

	/** All calls were running until the deadline. */
	BUSY,

	/**
	 * The program could not be reached, the connection broke, or the answer was too
	 * large.
	 */
	UNAVAILABLE,

	/** The answer had another status than 200, or was not the expected JSON. */
	BAD_ANSWER;

	String tag() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
