package io.parley.server.delivery;

import java.util.concurrent.CompletableFuture;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;

/**
 * Fans out to the subscribers: the part that {@code chat.broker.mode} exchanges. What it
 * promises is the same in each mode: what is delivered to a topic after a subscription
 * {@linkplain #open is open} reaches {@link TopicSubscription#deliver}.
 */
interface LiveDelivery {

	/** An {@link #open} that has nothing to wait for. */
	CompletableFuture<Void> OPEN = CompletableFuture.completedFuture(null);

	/**
	 * Starts to fan out to a subscription; it lets through what it wants.
	 * @return when it is open; may complete exceptionally
	 */
	CompletableFuture<Void> open(TopicSubscription subscription);

	/**
	 * Ends it. Something may still come, which the ended subscription lets go. Nothing
	 * happens when it was not opened, and one that has ended is not opened any more.
	 */
	void close(TopicSubscription subscription);

	/**
	 * Runs something for a session after all that was delivered before. It may not wait.
	 */
	void then(ChatSession session, Runnable action);

	/**
	 * Hands an event, as this server has read it from the log, or a signal to the
	 * subscribers on this server. Does not wait for sockets.
	 */
	void deliver(LiveFrame frame);

	/**
	 * Carries a signal to the subscribers on all servers. May lose it.
	 * @return false when it does not: then {@link #deliver} is for this server, and
	 * {@link NodeMessenger} for the others
	 */
	default boolean carry(Destination.SignalsTopic topic, byte[] json) {
		return false;
	}

}
