package io.parley.persistence;

import io.parley.events.EventRecord;

/**
 * What makes two records the same event: the id that the client gave to its message, or
 * the id of the event where no client has named it.
 */
record ClientKey(String room, String sender, String clientId) {

	static ClientKey of(EventRecord event) {
		String clientId = event.clientId();
		return new ClientKey(event.room(), event.sender(), (clientId != null) ? clientId : event.id());
	}

}
