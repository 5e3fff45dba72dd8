package io.parley.server.delivery;

import java.util.List;
import java.util.Set;

import io.parley.server.account.EndedSignInCache;
import io.parley.server.account.SignInsEnded;
import io.parley.server.session.SessionRegistry;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;

/**
 * Applies the end of sign-ins: at once on this server, and on the other servers by a
 * signal. {@link EndedSignInCache} makes up for signals that are lost.
 */
@Component
class SignOuts {

	private final EndedSignInCache ended;

	private final SessionRegistry sessions;

	private final NodeMessenger messenger;

	private final JsonMapper json;

	SignOuts(EndedSignInCache ended, SessionRegistry sessions, NodeMessenger messenger, JsonMapper json) {
		this.ended = ended;
		this.sessions = sessions;
		this.messenger = messenger;
		this.json = json;
	}

	private record Signal(List<String> signIns) {
	}

	/** Runs when the end is committed. */
	@TransactionalEventListener(fallbackExecution = true)
	void ended(SignInsEnded end) {
		this.ended.add(end.username(), end.signIns());
		this.messenger.broadcast(NodeSignal.Kind.SIGNED_OUT, end.username(),
				this.json.writeValueAsBytes(new Signal(end.signIns())));
	}

	/** Applies the end of sign-ins by another server. */
	void endedElsewhere(String user, byte[] body) {
		this.ended.add(user, this.json.readValue(body, Signal.class).signIns());
	}

	/** Their tokens are refused already, so no further session begins. */
	@EventListener
	void closeSessions(EndedSignInCache.Heard heard) {
		Set<String> signIns = Set.copyOf(heard.signIns());
		this.sessions.of(heard.username()).forEach((session) -> {
			if (signIns.contains(session.signIn())) {
				session.signOut();
			}
		});
	}

}
