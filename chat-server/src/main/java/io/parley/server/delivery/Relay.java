package io.parley.server.delivery;

import java.util.concurrent.CompletableFuture;

import io.parley.events.Destination;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.BrokerMessage;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;

/**
 * {@code chat.broker.mode=relay}: an external broker fans out. Frames from the broker are
 * delivered at once. An event that the broker has not delivered 2 seconds after this
 * server has read it from the log is delivered by the server itself, so events that the
 * broker loses are not missing.
 */
abstract class Relay implements LiveDelivery {

	private final Hub hub;

	private final DeliveryFallback fallback;

	private final BrokerLink link;

	private final OutboundFrames outbound;

	Relay(Hub hub, DeliveryFallback fallback, BrokerLink link, OutboundFrames outbound) {
		this.hub = hub;
		this.fallback = fallback;
		this.link = link;
		this.outbound = outbound;
	}

	/** Makes the broker send a topic, if it does not do so yet. */
	abstract CompletableFuture<Void> subscribe(TopicSubscription subscription);

	abstract void unsubscribe(TopicSubscription subscription);

	@Override
	public final CompletableFuture<Void> open(TopicSubscription subscription) {
		this.hub.open(subscription);
		return subscribe(subscription);
	}

	@Override
	public final void close(TopicSubscription subscription) {
		this.hub.close(subscription);
		unsubscribe(subscription);
	}

	@Override
	public final void afterDelivered(ChatSession session, Runnable action) {
		this.fallback.deliverAll();
		this.hub.afterDelivered(session, action);
	}

	@Override
	public final void deliver(LiveFrame frame) {
		if (frame.isGap()) {
			// The broker does not deliver it. The gap covers what the broker has not
			// delivered yet.
			deliverNow(frame);
		}
		else {
			this.fallback.add(frame);
		}
	}

	@Override
	public final boolean publishSignal(Destination.SignalsTopic topic, byte[] json) {
		this.link.offer(new BrokerMessage(topic.toString(), 0, 0, json));
		return true;
	}

	/** Creates the frame of a message from the broker. */
	final LiveFrame frame(Destination topic, BrokerMessage message) {
		return switch (topic) {
			case Destination.RoomTopic room ->
				LiveFrame.event(room, message.position(), message.prev(), message.json());
			case Destination.SignalsTopic signals -> LiveFrame.signal(signals, this.outbound.nextId(), message.json());
			default -> throw new IllegalArgumentException(topic + " is not a topic");
		};
	}

	/** Passes a frame to all subscribers on this server. */
	final void deliverNow(LiveFrame frame) {
		this.hub.deliver(frame);
	}

}
