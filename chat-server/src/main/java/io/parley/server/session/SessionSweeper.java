package io.parley.server.session;

import java.time.Instant;

import io.parley.server.refusal.Refusal;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Closes, once a second, the sessions whose token has expired, also when they only
 * listen, and the sockets that never sent a valid CONNECT.
 */
@Component
class SessionSweeper {

	/** Application close codes start at 4000. */
	static final CloseStatus TOKEN_EXPIRED = new CloseStatus(4401, Refusal.TOKEN_EXPIRED.code());

	private static final CloseStatus NO_CONNECT = new CloseStatus(4408, "no CONNECT in time");

	private final ChatSessions sessions;

	private final SessionProperties properties;

	SessionSweeper(ChatSessions sessions, SessionProperties properties) {
		this.sessions = sessions;
		this.properties = properties;
	}

	@Scheduled(fixedDelay = 1_000)
	void sweep() {
		Instant now = Instant.now();
		Instant tooOld = now.minus(this.properties.connectTimeout());
		this.sessions.forEach((session) -> {
			if (session.expiresAt().isBefore(now)) {
				session.close(TOKEN_EXPIRED);
			}
			else if (session.principal() == null && session.openedAt().isBefore(tooOld)) {
				session.close(NO_CONNECT);
			}
		});
	}

}
