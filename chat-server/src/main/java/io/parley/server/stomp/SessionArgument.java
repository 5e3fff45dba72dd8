package io.parley.server.stomp;

import io.parley.server.error.ErrorCode;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;

import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.stereotype.Component;

/**
 * Resolves handler arguments of type {@link ChatSession} to the session that sent the
 * frame.
 */
@Component
class SessionArgument implements HandlerMethodArgumentResolver {

	private final SessionRegistry sessions;

	SessionArgument(SessionRegistry sessions) {
		this.sessions = sessions;
	}

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == ChatSession.class;
	}

	@Override
	public Object resolveArgument(MethodParameter parameter, Message<?> message) {
		ChatSession session = this.sessions.find(SimpMessageHeaderAccessor.getSessionId(message.getHeaders()));
		if (session == null) {
			throw ErrorCode.UNAUTHORIZED.because("The session has ended.");
		}
		return session;
	}

}
