package io.parley.server.stomp;

import java.util.List;

import io.parley.server.session.ChatSession;
import io.parley.server.session.InboundExecutor;
import io.parley.server.session.OutboundFrames;

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
	 * Closes the session after its appends in progress. Removes the client's headers
	 * first: Spring's brokers process this frame at once, although it is not sent to the
	 * channel. They end their part of the session while the outbox is still being
	 * written.
	 */
	void handle(ChatSession session, StompHeaderAccessor frame) {
		session.markDisconnecting();
		String receipt = frame.getReceipt();
		List.copyOf(frame.toNativeHeaderMap().keySet()).forEach(frame::removeNativeHeader);
		this.inbound.executor().execute(session.id(), () -> session.pendingAppends().whenComplete((ended, failure) -> {
			this.outbound.receipt(session, receipt);
			session.close(CloseStatus.NORMAL);
		}));
	}

}
