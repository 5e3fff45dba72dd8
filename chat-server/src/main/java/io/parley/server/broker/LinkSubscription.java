package io.parley.server.broker;

import java.util.concurrent.CompletableFuture;

import org.springframework.messaging.simp.stomp.StompSession;

/** A subscription of a {@link BrokerLink} to a topic, on one connection. */
public final class LinkSubscription {

	private final StompSession.Subscription subscription;

	private final CompletableFuture<Void> confirmed;

	LinkSubscription(StompSession.Subscription subscription, CompletableFuture<Void> confirmed) {
		this.subscription = subscription;
		this.confirmed = confirmed;
	}

	/**
	 * Returns a future that completes when the broker has confirmed the subscription, and
	 * fails if it does not in time.
	 */
	public CompletableFuture<Void> confirmed() {
		return this.confirmed;
	}

	/** Ends the subscription. If the connection is lost, it has already ended. */
	public void end() {
		try {
			this.subscription.unsubscribe();
		}
		catch (RuntimeException ex) {
			// it has ended with its connection
		}
	}

}
