package io.parley.server.stomp;

import java.util.List;

import io.parley.server.session.ChatSession;
import io.parley.server.session.InboundExecutor;
import io.parley.server.session.OutboundFrames;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;

/**
 * DISCONNECT: its receipt comes after those of all SENDs before it; then the socket
 * closes.
 */
@Component
class DisconnectFrames {

	private final InboundExecutor lanes;

	private final OutboundFrames outbound;

	DisconnectFrames(InboundExecutor lanes, OutboundFrames outbound) {
		this.lanes = lanes;
		this.outbound = outbound;
	}

	/**
	 * Spring's brokers take this frame at once, even though it doesn't go into the
	 * channel: they end their part of the session while ours still writes.
	 */
	void handle(ChatSession session, StompHeaderAccessor frame) {
		session.leave();
		String receipt = frame.getReceipt();
		List.copyOf(frame.toNativeHeaderMap().keySet()).forEach(frame::removeNativeHeader);
		this.lanes.lanes().execute(session.id(), () -> session.appends().whenComplete((ended, failure) -> {
			this.outbound.receipt(session, receipt);
			session.close(CloseStatus.NORMAL);
		}));
	}

}
