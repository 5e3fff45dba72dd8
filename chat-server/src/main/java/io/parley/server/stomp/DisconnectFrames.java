package io.parley.server.stomp;

import io.parley.server.session.ChatSession;
import io.parley.server.session.Outbound;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * DISCONNECT: its receipt comes after those of all SENDs before it; then the socket
 * closes.
 */
@Component
class DisconnectFrames implements InboundFrames.Work {

	private final Outbound outbound;

	DisconnectFrames(Outbound outbound) {
		this.outbound = outbound;
	}

	@Override
	public void handle(ChatSession session, StompHeaderAccessor frame) {
		String receipt = frame.getReceipt();
		session.appends().whenComplete((ended, failure) -> {
			this.outbound.receipt(session, receipt);
			session.close(CloseStatus.NORMAL);
		});
	}

}
