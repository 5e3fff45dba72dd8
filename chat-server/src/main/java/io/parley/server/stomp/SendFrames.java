package io.parley.server.stomp;

import io.parley.events.Destination;
import io.parley.server.error.ErrorCode;
import io.parley.server.session.ChatSession;
import io.parley.server.session.RateLimits;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;

/**
 * Checks SEND frames: they must be addressed to the application, and signals are
 * rate-limited.
 */
@Component
class SendFrames {

	private final RateLimits rates;

	SendFrames(RateLimits rates) {
		this.rates = rates;
	}

	void check(ChatSession session, StompHeaderAccessor frame) {
		switch (Destination.parse(frame.getDestination())) {
			case Destination.RoomAction action when action.action() == Destination.Action.SEND -> {
				// messages are checked when they are posted
			}
			case Destination.RoomAction action -> this.rates.takeSignal(session.user());
			case Destination.TokenRefresh refresh -> this.rates.takeSignal(session.user());
			case null, default ->
				throw ErrorCode.BAD_DESTINATION.because("SEND goes to /app/rooms.<room>.send, .typing "
						+ "or .read, or to /app/token; nothing else is open to clients.");
		}
	}

}
