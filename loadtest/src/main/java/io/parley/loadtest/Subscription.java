package io.parley.loadtest;

import io.netty.buffer.ByteBuf;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * The events of a room as one session gets them, counted and checked. Events arrive on
 * one thread; {@link #missing} may be asked from any.
 */
interface Subscription {

	/** The server sent the receipt of SUBSCRIBE. */
	void confirmed();

	/** Whether the subscription is certainly there. */
	boolean isComplete();

	/** How many messages are not here yet that must come. */
	long missing();

	/** Takes a whole frame that is a message of this run, and no other. */
	boolean took(ByteBuf frame);

	/** Takes any other MESSAGE. */
	void received(StompHeaderAccessor headers, byte[] json);

}
