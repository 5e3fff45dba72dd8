package io.parley.loadtest.study.pipeline;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.check.Delivery;
import io.parley.loadtest.check.SubscriptionCheck;
import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.study.client.RoomChannel;
import io.parley.loadtest.study.pipeline.PairLedger.Step;
import io.parley.loadtest.user.Account;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * Follows the room of a pair and checks its events.
 */
final class PairReceiver extends RoomChannel {

	private final String run;

	private final PairLedger ledger;

	private final Measures measures;

	private final SubscriptionCheck check = new SubscriptionCheck();

	private long last;

	private boolean started;

	PairReceiver(Account account, String run, PairLedger ledger, Measures measures) {
		super(account.token(), account.room().id());
		this.run = run;
		this.ledger = ledger;
		this.measures = measures;
	}

	@Override
	protected void connected() {
		write(StompFrames.subscribe(room(), null));
	}

	@Override
	protected boolean delivered(ByteBuf frame) {
		Delivery delivery = this.started ? Delivery.read(frame, this.run) : null;
		if (delivery == null) {
			return false;
		}
		Verdict verdict = follow(delivery.position(), delivery.prev());
		if (verdict == Verdict.DUPLICATE) {
			return true;
		}
		Measures.since(delivery.message().intended(), this.measures.delivering);
		if (this.ledger.mark(Step.DELIVERED, delivery.message().sequence())) {
			this.measures.delivered.increment();
		}
		else {
			this.measures.doubled.increment();
		}
		return true;
	}

	@Override
	protected void frame(StompHeaderAccessor headers, byte[] body) {
		if (StompFrames.SUBSCRIBED.equals(headers.getReceiptId())) {
			ready();
			return;
		}
		EventBody event = EventBody.read(body);
		String position = headers.getFirstNativeHeader("position");
		String prev = headers.getFirstNativeHeader("prev");
		switch (event.type()) {
			case "subscribed" -> {
				this.started = true;
				startAfter(event.head());
			}
			case "gap" -> {
				this.ledger.gap(this.last, event.head());
				startAfter(event.head());
			}
			default -> {
				if (position != null && prev != null) {
					follow(Long.parseLong(position), Long.parseLong(prev));
				}
				else {
					this.measures.error("event \"" + event.type() + "\" without a position");
				}
			}
		}
	}

	private void startAfter(long head) {
		this.last = head;
		this.check.startAfter(head);
	}

	private Verdict follow(long position, long prev) {
		Verdict verdict = this.check.check(position, prev);
		if (verdict != Verdict.IN_ORDER) {
			this.measures.verdict(verdict);
		}
		this.last = Math.max(this.last, position);
		return verdict;
	}

	@Override
	protected void failed(String reason) {
		this.measures.error(reason);
	}

}
