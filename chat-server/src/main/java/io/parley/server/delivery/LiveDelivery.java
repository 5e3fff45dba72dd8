package io.parley.server.delivery;

import io.parley.server.session.ChatSession;

/**
 * Fans out to the subscribers: the part that {@code chat.broker.mode} exchanges. What it
 * promises is the same in each mode: what is delivered to a topic after {@link #open} has
 * returned reaches {@link TopicSubscription#deliver}, in the order of the calls.
 */
interface LiveDelivery {

	/** Starts to fan out to a subscription; it lets through what it wants. */
	void open(TopicSubscription subscription);

	/** Ends it. Something may still come, which the ended subscription lets go. */
	void close(TopicSubscription subscription);

	/**
	 * Runs something for a session after all that was delivered before. It may not wait.
	 */
	void then(ChatSession session, Runnable action);

	/**
	 * Hands an event or a signal to the subscribers of its topic. Does not wait for
	 * sockets.
	 */
	void deliver(LiveFrame frame);

}
