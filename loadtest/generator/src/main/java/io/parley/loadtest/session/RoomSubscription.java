package io.parley.loadtest.session;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.check.Delivery;
import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.check.SubscriptionCheck;
import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * A subscription at Parley, which confirms it and whose events carry the position of the
 * previous event.
 */
final class RoomSubscription extends Subscription {

	private final SubscriptionCheck check = new SubscriptionCheck();

	private boolean started;

	private boolean confirmed;

	RoomSubscription(RoomLedger room, String run, Measures measures) {
		super(room, run, measures);
	}

	@Override
	protected void confirmed() {
		this.confirmed = true;
	}

	/**
	 * Returns whether both the receipt and the first event have arrived.
	 */
	@Override
	protected boolean isComplete() {
		return this.started && this.confirmed;
	}

	@Override
	protected boolean tryReceive(ByteBuf frame) {
		Delivery delivery = this.started ? Delivery.read(frame, this.run) : null;
		if (delivery == null) {
			return false;
		}
		count(delivery.position(), delivery.prev(), delivery.message());
		return true;
	}

	@Override
	protected void received(StompHeaderAccessor headers, byte[] json) {
		EventBody body = EventBody.read(json);
		String position = headers.getFirstNativeHeader("position");
		if (position == null) {
			control(body);
		}
		else if (!this.started) {
			this.measures.error("an event came before \"subscribed\"");
		}
		else {
			event(Long.parseLong(position), headers.getFirstNativeHeader("prev"), body);
		}
	}

	private void control(EventBody body) {
		if (body.type().equals("subscribed") && !this.started) {
			this.started = true;
			this.check.startAfter(body.head());
		}
		else {
			this.measures.error("event \"" + body.type() + "\" without a position");
		}
	}

	private void event(long position, @Nullable String prev, EventBody body) {
		if (prev == null) {
			this.measures.error("event without prev");
			return;
		}
		LoadMessage message = LoadMessage.parse(body.text());
		count(position, Long.parseLong(prev), (message != null && message.run().equals(this.run)) ? message : null);
	}

	/**
	 * Checks the position of every event. Counts messages except those that are not to be
	 * counted.
	 */
	private void count(long position, long prev, @Nullable LoadMessage message) {
		Verdict verdict = this.check.check(position, prev);
		if (verdict != Verdict.IN_ORDER) {
			this.measures.verdict(verdict);
		}
		if (message != null && !message.isCounted()) {
			return;
		}
		this.measures.delivered.increment();
		if (message != null && verdict != Verdict.DUPLICATE) {
			message(message, position);
		}
	}

	private void message(LoadMessage message, long position) {
		this.measures.reached(message.intended());
		if (this.room.seen(message.sequence(), position)) {
			arrived();
		}
		else {
			this.measures.doubled.increment();
		}
	}

}
