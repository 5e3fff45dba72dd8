package io.parley.persistence;

import io.parley.events.EventRecord;

/**
 * Identifies an event: two records with the same key are the same event. The id is the
 * one that the client gave to its message, or the id of the event if the client gave it
 * none.
 */
record ClientKey(String room, String sender, String clientId) {

	static ClientKey of(EventRecord event) {
		String clientId = event.clientId();
		return new ClientKey(event.room(), event.sender(), (clientId != null) ? clientId : event.id());
	}

}
