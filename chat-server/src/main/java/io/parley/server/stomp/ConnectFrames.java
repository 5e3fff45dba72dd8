package io.parley.server.stomp;

import java.util.List;
import java.util.Set;

import io.parley.server.account.Tokens;
import io.parley.server.broker.BrokerOutboundInterceptor;
import io.parley.server.error.ErrorCode;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;
import io.parley.server.session.SessionRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;

/** Handles CONNECT: authenticates the session with the client's token. */
@Component
class ConnectFrames {

	private static final List<String> VERSIONS = List.of("1.2", "1.1", "1.0");

	private static final String BEARER = "Bearer ";

	private final Tokens tokens;

	private final SessionRegistry sessions;

	private final OutboundFrames outbound;

	ConnectFrames(Tokens tokens, SessionRegistry sessions, OutboundFrames outbound) {
		this.tokens = tokens;
		this.sessions = sessions;
		this.outbound = outbound;
	}

	void handle(ChatSession session, StompHeaderAccessor frame) {
		String version = version(frame);
		String token = token(frame);
		if (token == null || token.isBlank()) {
			throw ErrorCode.UNAUTHORIZED
				.because("CONNECT needs a token: a header 'Authorization: Bearer <token>', or the token as passcode.");
		}
		Tokens.Identity identity = this.tokens.identify(token);
		ChatUser user = new ChatUser(identity.user());
		this.sessions.connect(session, user, identity.signIn(), identity.expiresAt(), frame.getHeartbeat());
		if (this.tokens.hasEnded(identity)) {
			// The sign-in has ended before the session was registered.
			session.signOut();
		}
		frame.setUser(user);
		replaceHeaders(frame);
		this.outbound.connected(session, version);
	}

	/**
	 * Replaces the client's headers with those of this server, so that Spring's brokers
	 * see no secret of the client.
	 */
	private static void replaceHeaders(StompHeaderAccessor frame) {
		List.copyOf(frame.toNativeHeaderMap().keySet()).forEach(frame::removeNativeHeader);
		frame.setAcceptVersion("1.2");
		frame.setHeartbeat(BrokerOutboundInterceptor.HEART_BEAT_MILLIS, 0);
	}

	/**
	 * Returns the newest version that client and server support. STOMP 1.0 clients do not
	 * send a version.
	 */
	private static String version(StompHeaderAccessor frame) {
		Set<String> accepted = frame.getAcceptVersion();
		return VERSIONS.stream()
			.filter((version) -> accepted.contains(version) || accepted.isEmpty() && version.equals("1.0"))
			.findFirst()
			.orElseThrow(() -> ErrorCode.BAD_FRAME.because("Supported STOMP versions are 1.2, 1.1 and 1.0."));
	}

	private static @Nullable String token(StompHeaderAccessor frame) {
		String authorization = frame.getFirstNativeHeader("Authorization");
		if (authorization == null) {
			return frame.getPasscode();
		}
		return authorization.regionMatches(true, 0, BEARER, 0, BEARER.length())
				? authorization.substring(BEARER.length()) : null;
	}

}
