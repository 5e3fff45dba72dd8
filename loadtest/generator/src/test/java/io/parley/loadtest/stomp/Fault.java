package io.parley.loadtest.stomp;

/**
 * A fault that the {@link StompResponder} shows once, to the first subscriber of a room.
 */
public enum Fault {

	NONE, LOSE, FORGET, DOUBLE, REORDER, TELL_A_GAP, APPEND_TWICE, CLOSE, KEEP_RECEIPT, REFUSE,

	/**
	 * Has a few places, and answers 503 while they are taken.
	 */
	FULL,
	/**
	 * Answers 503 to the first connections.
	 */
	TURN_AWAY,
	/** Closes each connection that subscribes. */
	CLOSE_EARLY,
	/** Sends no receipt for DISCONNECT. */
	KEEP_GOODBYE,
	/**
	 * Replays nothing to a resuming client, and claims to have recovered.
	 */
	NO_REPLAY

}
