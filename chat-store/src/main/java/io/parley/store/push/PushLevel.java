package io.parley.store.push;

/** Of which messages a user wants to be told. */
public enum PushLevel {

	/** Of every message. */
	ALL,

	/** Of messages that name the user. */
	MENTIONS,

	/** Of none. */
	NONE

}
