package io.parley.loadtest.session;

import io.netty.buffer.ByteBuf;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * Counts and checks the events of a room that one session receives. Events must be passed
 * in by one thread; {@link #missing} may be called from any.
 */
public interface Subscription {

	/**
	 * Called for the receipt of SUBSCRIBE.
	 */
	void confirmed();

	/**
	 * Returns whether the subscription is known to be active.
	 */
	boolean isComplete();

	/**
	 * Returns the number of expected messages that have not arrived.
	 */
	long missing();

	/**
	 * Handles a whole frame if it is a message of this run.
	 * @return whether it was handled
	 */
	boolean tryReceive(ByteBuf frame);

	/**
	 * Handles any other MESSAGE.
	 */
	void received(StompHeaderAccessor headers, byte[] json);

}
