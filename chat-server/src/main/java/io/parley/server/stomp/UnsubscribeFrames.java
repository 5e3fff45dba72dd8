package io.parley.server.stomp;

import io.parley.server.delivery.RoomSubscriptions;
import io.parley.server.refusal.Refusal;
import io.parley.server.session.ChatSession;
import io.parley.server.session.Outbound;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;
import org.springframework.stereotype.Component;

/** UNSUBSCRIBE: after its receipt nothing comes on the subscription. */
@Component
class UnsubscribeFrames implements InboundFrames.Work {

	private final RoomSubscriptions rooms;

	private final Outbound outbound;

	UnsubscribeFrames(RoomSubscriptions rooms, Outbound outbound) {
		this.rooms = rooms;
		this.outbound = outbound;
	}

	@Override
	public void handle(ChatSession session, StompHeaderAccessor frame) {
		String id = frame.getSubscriptionId();
		if (id == null) {
			throw Refusal.BAD_FRAME.because("UNSUBSCRIBE needs the id of the subscription.");
		}
		this.rooms.end(session, id);
		this.outbound.receipt(session, frame.getReceipt());
	}

}
