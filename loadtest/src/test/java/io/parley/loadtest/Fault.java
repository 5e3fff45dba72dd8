package io.parley.loadtest;

/**
 * What the {@link StompResponder} does wrong, once, to the first subscriber of a room.
 */
public enum Fault {

	NONE, LOSE, FORGET, DOUBLE, REORDER, TELL_A_GAP, APPEND_TWICE, CLOSE, KEEP_RECEIPT, REFUSE

}
