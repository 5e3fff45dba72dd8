package io.parley.server.stomp;

import io.parley.server.delivery.UserEvents;
import io.parley.server.refusal.Refusal;
import io.parley.server.refusal.RefusedException;
import io.parley.server.refusal.StoreFailures;
import io.parley.server.session.ChatSession;
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

	FrameAdvice(UserEvents userEvents) {
		this.userEvents = userEvents;
	}

	@MessageExceptionHandler
	void refused(RefusedException ex, ChatSession session, StompHeaderAccessor frame) {
		this.userEvents.refused(session, ex, frame.getDestination(), frame.getReceipt());
	}

	@MessageExceptionHandler
	void empty(MethodArgumentNotValidException ex, ChatSession session, StompHeaderAccessor frame) {
		refused(Refusal.BAD_MESSAGE.because("The frame has no body."), session, frame);
	}

	@MessageExceptionHandler
	void failed(Exception ex, ChatSession session, StompHeaderAccessor frame) {
		if (StoreFailures.isAway(ex)) {
			refused(StoreFailures.unavailable(), session, frame);
			return;
		}
		log.error("SEND to {} failed", frame.getDestination(), ex);
		this.userEvents.refused(session, Refusal.INTERNAL.because("The server failed to handle the frame."),
				frame.getDestination(), frame.getReceipt());
	}

}
