package io.parley.server.delivery;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.SessionLinks;
import io.parley.server.session.OutboundFrames;

import org.springframework.context.event.EventListener;
import org.springframework.web.socket.messaging.SessionDisconnectEvent;

/**
 * {@code chat.broker.relay.connections=per-session}: the broker knows each subscription
 * of each client and sends a separate frame to each. A session that loses its connection
 * to the broker is closed, and its client resumes.
 */
class SessionRelay extends Relay {

	private final SessionLinks links;

	private final Map<TopicSubscription, String> ids = new ConcurrentHashMap<>();

	SessionRelay(Hub hub, DeliveryFallback fallback, BrokerLink link, OutboundFrames outbound, SessionLinks links) {
		super(hub, fallback, link, outbound);
		this.links = links;
	}

	@Override
	CompletableFuture<Void> subscribe(TopicSubscription subscription) {
		String id = this.links.nextId();
		this.ids.put(subscription, id);
		String session = subscription.session().id();
		CompletableFuture<Void> confirmed = this.links.subscribe(session, id, subscription.destination().toString(),
				(message) -> subscription.deliver(frame(subscription.destination(), message)));
		if (subscription.ended()) {
			// It may have ended before the subscription reached the broker.
			this.ids.remove(subscription);
			this.links.unsubscribe(session, id);
		}
		return confirmed;
	}

	@Override
	void unsubscribe(TopicSubscription subscription) {
		String id = this.ids.remove(subscription);
		if (id != null) {
			this.links.unsubscribe(subscription.session().id(), id);
		}
	}

	@EventListener
	void disconnected(SessionDisconnectEvent event) {
		this.links.forget(event.getSessionId());
	}

}
