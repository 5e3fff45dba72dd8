package io.parley.server.stomp;

import java.security.Principal;

/** The user of a session, by name. */
record ChatUser(String name) implements Principal {

	@Override
	public String getName() {
		return this.name;
	}

}
