package io.parley.server.broker;

import java.util.concurrent.CompletableFuture;

import org.springframework.messaging.simp.stomp.StompSession;

/** A topic that a {@link BrokerLink} has subscribed to on its present connection. */
public final class LinkSubscription {

	private final StompSession.Subscription subscription;

	private final CompletableFuture<Void> confirmed;

	LinkSubscription(StompSession.Subscription subscription, CompletableFuture<Void> confirmed) {
		this.subscription = subscription;
		this.confirmed = confirmed;
	}

	/**
	 * Completes when the broker has confirmed it; exceptionally when it does not in time.
	 */
	public CompletableFuture<Void> confirmed() {
		return this.confirmed;
	}

	/** Ends it. When the connection is lost, that is so already. */
	public void end() {
		try {
			this.subscription.unsubscribe();
		}
		catch (RuntimeException ex) {
			// it ended with its connection
		}
	}

}
