package io.parley.loadtest.idle;

import java.util.BitSet;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.check.Delivery;
import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.session.Subscription;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * A subscription at a server that sends neither receipts nor positions. It is active once
 * the first message arrives, and messages are identified by their text.
 */
final class PlainSubscription extends Subscription {

	private final BitSet seen = new BitSet();

	private boolean started;

	PlainSubscription(RoomLedger room, String run, Measures measures) {
		super(room, run, measures);
	}

	@Override
	protected void confirmed() {
		// Some servers send a receipt, but possibly before the subscription is active.
	}

	@Override
	protected boolean isComplete() {
		return this.started;
	}

	@Override
	protected boolean tryReceive(ByteBuf frame) {
		LoadMessage message = this.started ? Delivery.message(frame, this.run) : null;
		if (message != null) {
			message(message);
		}
		return message != null;
	}

	@Override
	protected void received(StompHeaderAccessor headers, byte[] json) {
		LoadMessage message = LoadMessage.parse(EventBody.read(json).text());
		if (message == null || !message.run().equals(this.run)) {
			this.measures.error("a message that this run did not send");
			return;
		}
		this.started = true;
		message(message);
	}

	private void message(LoadMessage message) {
		if (!message.isCounted()) {
			return;
		}
		this.measures.delivered.increment();
		int sequence = Math.toIntExact(message.sequence());
		if (this.seen.get(sequence)) {
			this.measures.doubled.increment();
			return;
		}
		this.seen.set(sequence);
		this.measures.reached(message.intended());
		arrived();
	}

}
