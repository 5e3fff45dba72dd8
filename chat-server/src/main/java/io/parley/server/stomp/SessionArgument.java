package io.parley.server.stomp;

import java.util.Objects;

import io.parley.server.session.ChatSession;

import org.springframework.core.MethodParameter;
import org.springframework.messaging.Message;
import org.springframework.messaging.handler.invocation.HandlerMethodArgumentResolver;

/**
 * Resolves handler arguments of type {@link ChatSession} to the session that sent the
 * frame.
 */
class SessionArgument implements HandlerMethodArgumentResolver {

	@Override
	public boolean supportsParameter(MethodParameter parameter) {
		return parameter.getParameterType() == ChatSession.class;
	}

	@Override
	public Object resolveArgument(MethodParameter parameter, Message<?> message) {
		return Objects.requireNonNull(ChatSession.of(message), "Only sessions send frames");
	}

}
