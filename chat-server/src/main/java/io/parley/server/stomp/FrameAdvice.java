package io.parley.server.stomp;

import io.parley.server.delivery.UserEvents;
import io.parley.server.error.ChatException;
import io.parley.server.error.ExceptionTranslator;
import io.parley.server.session.ChatSession;

import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.web.bind.annotation.ControllerAdvice;

/** Reports exceptions of SEND handlers to the session as {@code error} events. */
@ControllerAdvice
class FrameAdvice {

	private final UserEvents userEvents;

	FrameAdvice(UserEvents userEvents) {
		this.userEvents = userEvents;
	}

	/**
	 * Sends an {@code error} event to the session, unless the session has ended
	 * meanwhile.
	 */
	@MessageExceptionHandler
	void sendError(Exception ex, ChatSession session, StompHeaderAccessor frame) {
		ChatException error = ExceptionTranslator.ofFrame(ex, "SEND to " + frame.getDestination());
		if (!session.ended()) {
			this.userEvents.sendError(session, error, frame.getDestination(), frame.getReceipt());
		}
	}

}
