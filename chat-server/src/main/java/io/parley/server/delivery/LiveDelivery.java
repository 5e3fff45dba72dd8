package io.parley.server.delivery;

import java.util.concurrent.CompletableFuture;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;

/**
 * Fans out to the subscribers. {@code chat.broker.mode} selects the implementation. Each
 * guarantees the same: what is delivered to a topic after a subscription
 * {@linkplain #open is open} reaches {@link TopicSubscription#deliver}.
 */
interface LiveDelivery {

	/** The result of an {@link #open} that is complete at once. */
	CompletableFuture<Void> OPEN = CompletableFuture.completedFuture(null);

	/**
	 * Starts to fan out to a subscription. The subscription filters the frames itself.
	 * @return completes when the subscription is open; may complete exceptionally
	 */
	CompletableFuture<Void> open(TopicSubscription subscription);

	/**
	 * Ends the fan-out to a subscription. Frames may still arrive; the ended subscription
	 * drops them. Has no effect if the subscription was not opened. A subscription that
	 * has ended is not opened any more.
	 */
	void close(TopicSubscription subscription);

	/**
	 * Returns whether {@link #deliver} has to be called for a topic: false if no
	 * subscription to it is open on this server, and nobody else gets its frames from
	 * this server.
	 */
	default boolean isOpen(Destination topic) {
		return true;
	}

	/**
	 * Runs an action for a session after everything delivered before. The action must not
	 * block.
	 */
	void afterDelivered(ChatSession session, Runnable action);

	/**
	 * Passes an event that this server has read from the log, or a signal, to the
	 * subscribers on this server. Does not wait for sockets.
	 */
	void deliver(LiveFrame frame);

	/**
	 * Sends a signal to the subscribers on all servers. The signal may be lost.
	 * @return false if this implementation does not send signals: then {@link #deliver}
	 * serves this server, and {@link NodeMessenger} the others
	 */
	default boolean publishSignal(Destination.SignalsTopic topic, byte[] json) {
		return false;
	}

}
