package io.parley.server.stomp;

import io.parley.server.delivery.UserEvents;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ChatException;
import io.parley.server.error.StoreFailures;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.messaging.handler.annotation.MessageExceptionHandler;
import org.springframework.messaging.handler.annotation.support.MethodArgumentNotValidException;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.web.bind.annotation.ControllerAdvice;

/** Reports exceptions of SEND handlers to the session as {@code error} events. */
@ControllerAdvice
class FrameAdvice {

	private static final Logger log = LoggerFactory.getLogger(FrameAdvice.class);

	private final UserEvents userEvents;

	private final SessionRegistry sessions;

	FrameAdvice(UserEvents userEvents, SessionRegistry sessions) {
		this.userEvents = userEvents;
		this.sessions = sessions;
	}

	/**
	 * Sends an {@code error} event to the session, unless the session has ended
	 * meanwhile.
	 */
	@MessageExceptionHandler
	void sendError(ChatException ex, StompHeaderAccessor frame) {
		ChatSession session = this.sessions.find(frame.getSessionId());
		if (session != null) {
			this.userEvents.sendError(session, ex, frame.getDestination(), frame.getReceipt());
		}
	}

	@MessageExceptionHandler
	void handleEmptyBody(MethodArgumentNotValidException ex, StompHeaderAccessor frame) {
		sendError(ErrorCode.BAD_MESSAGE.because("The frame has no body."), frame);
	}

	@MessageExceptionHandler
	void handleFailure(Exception ex, StompHeaderAccessor frame) {
		if (StoreFailures.isConnectionFailure(ex)) {
			sendError(StoreFailures.unavailable(), frame);
			return;
		}
		log.error("SEND to {} failed", frame.getDestination(), ex);
		sendError(ErrorCode.INTERNAL.because("The server failed to handle the frame."), frame);
	}

}
