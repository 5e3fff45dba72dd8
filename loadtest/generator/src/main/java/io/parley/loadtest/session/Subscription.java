package io.parley.loadtest.session;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.measure.Measures;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * Counts and checks the events of a room that one session receives. Events must be passed
 * in by one thread; {@link #missing} may be called from any.
 */
public abstract class Subscription {

	protected final RoomLedger room;

	protected final String run;

	protected final Measures measures;

	private volatile int received;

	protected Subscription(RoomLedger room, String run, Measures measures) {
		this.room = room;
		this.run = run;
		this.measures = measures;
	}

	/**
	 * Called for the receipt of SUBSCRIBE.
	 */
	protected abstract void confirmed();

	/**
	 * Returns whether the subscription is known to be active.
	 */
	protected abstract boolean isComplete();

	/**
	 * Handles a whole frame if it is a message of this run.
	 * @return whether it was handled
	 */
	protected abstract boolean tryReceive(ByteBuf frame);

	/**
	 * Handles any other MESSAGE.
	 */
	protected abstract void received(StompHeaderAccessor headers, byte[] json);

	/**
	 * Counts a message that this session was missing.
	 */
	protected final void arrived() {
		this.received = this.received + 1;
	}

	/**
	 * Returns the number of expected messages that have not arrived.
	 */
	final long missing() {
		return Math.max(0, this.room.expected() - this.received);
	}

}
