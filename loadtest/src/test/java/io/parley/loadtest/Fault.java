package io.parley.loadtest;

/**
 * What the {@link StompResponder} does wrong, once, to the first subscriber of a room.
 */
public enum Fault {

	NONE, LOSE, FORGET, DOUBLE, REORDER, TELL_A_GAP, APPEND_TWICE, CLOSE, KEEP_RECEIPT, REFUSE,

	/** Has a few places and answers 503 when they are taken. */
	FULL,
	/** Answers 503 to the first connections. */
	TURN_AWAY,
	/** Closes each connection that subscribes. */
	CLOSE_EARLY,
	/** Sends no receipt for DISCONNECT. */
	KEEP_GOODBYE,
	/** Replays nothing to who comes again, and says that it did. */
	NO_REPLAY

}
