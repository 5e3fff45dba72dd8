package io.parley.server.stomp;

import io.parley.server.delivery.RoomSubscriptionService;
import io.parley.server.error.ErrorCode;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;

/** Handles UNSUBSCRIBE. No frame of the subscription follows its receipt. */
@Component
class UnsubscribeFrames implements InboundFrames.Work {

	private final RoomSubscriptionService rooms;

	private final OutboundFrames outbound;

	UnsubscribeFrames(RoomSubscriptionService rooms, OutboundFrames outbound) {
		this.rooms = rooms;
		this.outbound = outbound;
	}

	@Override
	public void handle(ChatSession session, StompHeaderAccessor frame) {
		String id = frame.getSubscriptionId();
		if (id == null) {
			throw ErrorCode.BAD_FRAME.because("UNSUBSCRIBE needs the id of the subscription.");
		}
		this.rooms.end(session, id);
		this.outbound.receipt(session, frame.getReceipt());
	}

}
