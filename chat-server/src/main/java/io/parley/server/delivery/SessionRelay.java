package io.parley.server.delivery;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.SessionLinks;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.server.session.DeliveryThreadPool;
import io.parley.server.session.OutboundFrames;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.messaging.SessionDisconnectEvent;

/**
 * {@code chat.broker.relay.connections=per-session}: the broker knows each subscription
 * of each client and sends a separate frame to each. A session that loses its connection
 * to the broker is closed, and its client resumes.
 */
@Component
@ConditionalOnProperty(name = "chat.broker.mode", havingValue = "relay")
@ConditionalOnProperty(name = "chat.broker.relay.connections", havingValue = "per-session", matchIfMissing = true)
class SessionRelay extends Relay implements SessionLinks.Owner {

	private static final CloseStatus BROKER_UNAVAILABLE = new CloseStatus(1013, "broker away");

	private final SessionLinks links;

	private final SessionRegistry sessions;

	private final Map<TopicSubscription, String> ids = new ConcurrentHashMap<>();

	SessionRelay(DeliveryThreadPool threads, DeliveryFallback fallback, BrokerLink link, OutboundFrames outbound,
			SessionLinks links, SessionRegistry sessions) {
		super(threads, fallback, link, outbound);
		this.links = links;
		this.sessions = sessions;
		links.setOwner(this);
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

	@Override
	public boolean isOpen(String session) {
		return this.sessions.find(session) != null;
	}

	@Override
	public void lost(String session) {
		ChatSession ended = this.sessions.find(session);
		if (ended != null && !ended.isDisconnecting()) {
			ended.close(BROKER_UNAVAILABLE);
		}
	}

	@EventListener
	void disconnected(SessionDisconnectEvent event) {
		this.links.forget(event.getSessionId());
	}

}
