package io.parley.server.delivery;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.events.Destination;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.LinkSubscription;
import io.parley.server.session.OutboundFrames;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.messaging.simp.broker.BrokerAvailabilityEvent;

/**
 * {@code chat.broker.relay.connections=per-node}: one connection carries each topic to
 * which sessions of this server have subscribed, each once, and the hub fans out.
 */
class NodeRelay extends Relay implements BrokerLink.Listener {

	private final BrokerLink link;

	private final ApplicationEventPublisher events;

	private final Map<Destination, Topic> topics = new ConcurrentHashMap<>();

	NodeRelay(Hub hub, DeliveryFallback fallback, BrokerLink link, OutboundFrames outbound,
			ApplicationEventPublisher events) {
		super(hub, fallback, link, outbound);
		this.link = link;
		this.events = events;
	}

	/** A topic with subscribers on this server. Changed in {@link Map#compute} only. */
	private static final class Topic {

		private final Set<TopicSubscription> subscribers = new HashSet<>();

		private @Nullable LinkSubscription subscription;

	}

	/**
	 * Adds a subscription, unless it has ended meanwhile: then its end has already been
	 * handled.
	 */
	@Override
	CompletableFuture<Void> subscribe(TopicSubscription subscription) {
		Topic topic = this.topics.compute(subscription.destination(), (destination, known) -> {
			if (subscription.ended()) {
				return known;
			}
			Topic joined = (known != null) ? known : new Topic();
			joined.subscribers.add(subscription);
			subscribe(destination, joined);
			return joined;
		});
		LinkSubscription subscribed = (topic != null) ? topic.subscription : null;
		return (subscribed != null) ? subscribed.confirmed() : OPEN;
	}

	/** Subscribes at the broker. Without a connection, this happens when there is one. */
	private void subscribe(Destination destination, Topic topic) {
		if (topic.subscription == null) {
			topic.subscription = this.link.subscribe(destination.toString(),
					(message) -> deliverNow(frame(destination, message)));
		}
	}

	@Override
	void unsubscribe(TopicSubscription subscription) {
		this.topics.computeIfPresent(subscription.destination(), (destination, topic) -> {
			topic.subscribers.remove(subscription);
			if (!topic.subscribers.isEmpty()) {
				return topic;
			}
			if (topic.subscription != null) {
				topic.subscription.end();
			}
			return null;
		});
	}

	@Override
	public void connected() {
		this.topics.keySet().forEach((destination) -> this.topics.computeIfPresent(destination, (key, topic) -> {
			subscribe(key, topic);
			return topic;
		}));
		this.events.publishEvent(new BrokerAvailabilityEvent(true, this));
	}

	@Override
	public void lost() {
		this.events.publishEvent(new BrokerAvailabilityEvent(false, this));
		this.topics.keySet().forEach((destination) -> this.topics.computeIfPresent(destination, (key, topic) -> {
			topic.subscription = null;
			return topic;
		}));
	}

}
