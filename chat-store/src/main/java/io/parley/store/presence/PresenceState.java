package io.parley.store.presence;

import java.util.Collection;

/** How others see a user. */
public enum PresenceState {

	/** No session is open. */
	OFFLINE,

	/** All open sessions say that the user is away. */
	AWAY,

	/** At least one session is open that does not say so. */
	ONLINE;

	/** Returns the state of a user who is connected. */
	public static PresenceState of(boolean away) {
		return away ? AWAY : ONLINE;
	}

	/** Returns the state of a user who has several ones, in several places. */
	public static PresenceState of(Collection<PresenceState> states) {
		return states.stream().max(Comparable::compareTo).orElse(OFFLINE);
	}

	/** Returns whether a session of the user is open. */
	public boolean isConnected() {
		return this != OFFLINE;
	}

}
