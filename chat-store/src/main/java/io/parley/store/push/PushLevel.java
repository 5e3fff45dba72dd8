package io.parley.store.push;

/** The messages for which a user wants notifications. */
public enum PushLevel {

	/** Every message. */
	ALL,

	/** Messages that mention the user. */
	MENTIONS,

	/** No message. */
	NONE

}
