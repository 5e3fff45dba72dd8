package io.parley.server.delivery;

import io.parley.server.broker.SessionLinks;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;

import org.springframework.web.socket.CloseStatus;

/**
 * The sessions of this server, as owners of their connections to the broker. A session
 * that loses its connection is closed.
 */
final class RelayedSessions implements SessionLinks.Owner {

	private static final CloseStatus BROKER_UNAVAILABLE = new CloseStatus(1013, "broker away");

	private final SessionRegistry sessions;

	RelayedSessions(SessionRegistry sessions) {
		this.sessions = sessions;
	}

	@Override
	public boolean isOpen(String session) {
		return this.sessions.find(session) != null;
	}

	@Override
	public void lost(String session) {
		ChatSession ended = this.sessions.find(session);
		if (ended != null && !ended.isDisconnecting()) {
			ended.close(BROKER_UNAVAILABLE);
		}
	}

}
