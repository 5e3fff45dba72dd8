package io.parley.loadtest;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.SubscriptionCheck.Verdict;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * The events of a room as one session gets them. Events arrive on one thread;
 * {@link #missing} may be asked from any.
 */
final class Subscription {

	private final RoomLedger room;

	private final String run;

	private final Measures measures;

	private final SubscriptionCheck check = new SubscriptionCheck();

	private boolean started;

	private boolean confirmed;

	private volatile int received;

	Subscription(RoomLedger room, String run, Measures measures) {
		this.room = room;
		this.run = run;
		this.measures = measures;
	}

	/** The server sent the receipt of SUBSCRIBE. */
	void confirmed() {
		this.confirmed = true;
	}

	/** Whether the receipt and the first event are both here. */
	boolean isComplete() {
		return this.started && this.confirmed;
	}

	long missing() {
		return Math.max(0, this.room.expected() - this.received);
	}

	/** Takes a frame that is a message of this run, and no other. */
	boolean took(ByteBuf frame) {
		Delivery delivery = this.started ? Delivery.read(frame, this.run) : null;
		if (delivery == null) {
			return false;
		}
		if (count(delivery.position(), delivery.prev()) != Verdict.DUPLICATE) {
			message(delivery.message(), delivery.position());
		}
		return true;
	}

	void received(StompHeaderAccessor headers, byte[] json) {
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
		if (count(position, Long.parseLong(prev)) != Verdict.DUPLICATE
				&& LoadMessage.parse(body.text()) instanceof LoadMessage message && message.run().equals(this.run)) {
			message(message, position);
		}
	}

	private Verdict count(long position, long prev) {
		this.measures.delivered.increment();
		Verdict verdict = this.check.check(position, prev);
		if (verdict != Verdict.IN_ORDER) {
			this.measures.verdict(verdict);
		}
		return verdict;
	}

	private void message(LoadMessage message, long position) {
		Measures.since(message.intended(), this.measures.delivering);
		if (this.room.seen(message.sequence(), position)) {
			this.received = this.received + 1;
		}
		else {
			this.measures.doubled.increment();
		}
	}

}
