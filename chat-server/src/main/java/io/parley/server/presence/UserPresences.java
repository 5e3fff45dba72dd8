package io.parley.server.presence;

import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

import io.parley.server.session.SessionRegistry;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.PresenceState;
import io.parley.store.presence.UserNodes;

import org.springframework.stereotype.Component;

/**
 * Knows which users are online or away: on this server from its sessions, on the others
 * from the store.
 */
@Component
public class UserPresences {

	private final NodePresence presence;

	private final SessionRegistry sessions;

	private final String node;

	UserPresences(NodePresence presence, SessionRegistry sessions, NodeProperties node) {
		this.presence = presence;
		this.sessions = sessions;
		this.node = node.idOrHostName();
	}

	/** Returns the states of users, with one query for up to 200 of them. */
	public Map<String, PresenceState> of(Collection<String> users) {
		Map<String, UserNodes> stored = this.presence.onlineAmong(users, Instant.now());
		Map<String, PresenceState> states = new HashMap<>();
		users.forEach((user) -> states.put(user, state(user, stored.getOrDefault(user, UserNodes.NONE))));
		return states;
	}

	/**
	 * The own row counts only for a user who has disconnected a moment ago: it may be
	 * older than the sessions.
	 */
	private PresenceState state(String user, UserNodes stored) {
		PresenceState here = this.sessions.stateOf(user);
		PresenceState elsewhere = stored.without(this.node).state();
		if (!here.isConnected()) {
			return stored.state();
		}
		return (here.compareTo(elsewhere) >= 0) ? here : elsewhere;
	}

}
