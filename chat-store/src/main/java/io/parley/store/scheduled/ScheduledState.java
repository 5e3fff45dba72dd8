package io.parley.store.scheduled;

import java.util.Locale;

/** The state of a message that is sent later. */
public enum ScheduledState {

	/** It is not sent yet. */
	WAITING,

	/** It is in the log. */
	SENT,

	/** It was refused and is kept for its author. */
	FAILED,

	/** Its author does not want it to be sent. */
	CANCELLED;

	/** Returns the name in JSON and in the database. */
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	static ScheduledState ofWireName(String name) {
		return valueOf(name.toUpperCase(Locale.ROOT));
	}

}
