package io.parley.server.stomp;

import java.security.Principal;

/** The principal of a session, identified by the name of the user. */
record ChatUser(String name) implements Principal {

	@Override
	public String getName() {
		return this.name;
	}

}
