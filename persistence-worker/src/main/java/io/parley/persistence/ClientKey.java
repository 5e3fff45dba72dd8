package io.parley.persistence;

import io.parley.events.EventRecord;
import org.jspecify.annotations.Nullable;

/** What makes two records the same message. */
record ClientKey(String room, String sender, String clientId) {

	/** Null for events that no client has named. */
	static @Nullable ClientKey of(EventRecord event) {
		String clientId = event.clientId();
		return (clientId != null) ? new ClientKey(event.room(), event.sender(), clientId) : null;
	}

}
