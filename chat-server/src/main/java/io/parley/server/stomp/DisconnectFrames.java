package io.parley.server.stomp;

import io.parley.server.session.ChatSession;
import io.parley.server.session.InboundExecutor;
import io.parley.server.session.OutboundFrames;

import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * Handles DISCONNECT: sends its receipt after those of all earlier SENDs, then closes the
 * socket.
 */
@Component
class DisconnectFrames {

	private final InboundExecutor inbound;

	private final OutboundFrames outbound;

	DisconnectFrames(InboundExecutor inbound, OutboundFrames outbound) {
		this.inbound = inbound;
		this.outbound = outbound;
	}

	/**
	 * Closes the session after its appends in progress. Changes the type of the message:
	 * Spring's brokers process a DISCONNECT at once, although it is not sent to the
	 * channel, while earlier frames of the session are still in its queue. The end of the
	 * socket tells them in its turn.
	 */
	void handle(ChatSession session, StompHeaderAccessor frame) {
		session.markDisconnecting();
		String receipt = frame.getReceipt();
		frame.setHeader(SimpMessageHeaderAccessor.MESSAGE_TYPE_HEADER, SimpMessageType.OTHER);
		this.inbound.executor().execute(session.id(), () -> session.pendingAppends().whenComplete((ended, failure) -> {
			this.outbound.receipt(session, receipt);
			session.close(CloseStatus.NORMAL);
		}));
	}

}
