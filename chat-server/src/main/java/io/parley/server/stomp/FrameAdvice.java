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

/** Refusals by the handlers of SEND: an {@code error} event for the session. */
@ControllerAdvice
class FrameAdvice {

	private static final Logger log = LoggerFactory.getLogger(FrameAdvice.class);

	private final UserEvents userEvents;

	private final SessionRegistry sessions;

	FrameAdvice(UserEvents userEvents, SessionRegistry sessions) {
		this.userEvents = userEvents;
		this.sessions = sessions;
	}

	/** Tells the session, unless it has ended meanwhile: then there is nobody to tell. */
	@MessageExceptionHandler
	void refused(ChatException ex, StompHeaderAccessor frame) {
		ChatSession session = this.sessions.find(frame.getSessionId());
		if (session != null) {
			this.userEvents.refused(session, ex, frame.getDestination(), frame.getReceipt());
		}
	}

	@MessageExceptionHandler
	void empty(MethodArgumentNotValidException ex, StompHeaderAccessor frame) {
		refused(ErrorCode.BAD_MESSAGE.because("The frame has no body."), frame);
	}

	@MessageExceptionHandler
	void failed(Exception ex, StompHeaderAccessor frame) {
		if (StoreFailures.isConnectionFailure(ex)) {
			refused(StoreFailures.unavailable(), frame);
			return;
		}
		log.error("SEND to {} failed", frame.getDestination(), ex);
		refused(ErrorCode.INTERNAL.because("The server failed to handle the frame."), frame);
	}

}
