package io.parley.server.delivery;

import java.util.concurrent.CompletableFuture;

import io.parley.events.Destination;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.BrokerMessage;
import io.parley.server.session.ChatSession;
import io.parley.server.session.DeliveryThreadPool;
import io.parley.server.session.OutboundFrames;

/**
 * {@code chat.broker.mode=relay}: a broker outside fans out. What it brings is delivered
 * at once; what it has not brought a while after this server read it from the log, the
 * server brings itself, so nothing that a broker loses is missing.
 */
abstract class Relay implements LiveDelivery {

	private final Hub hub;

	private final DeliveryFallback late;

	private final BrokerLink link;

	private final OutboundFrames outbound;

	Relay(DeliveryThreadPool threads, DeliveryFallback late, BrokerLink link, OutboundFrames outbound) {
		this.hub = new Hub(threads);
		this.late = late;
		this.link = link;
		this.outbound = outbound;
		late.to(this.hub::deliver);
	}

	/** Lets the broker send a topic, or more of it. */
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
	public final void then(ChatSession session, Runnable action) {
		this.late.deliverAll();
		this.hub.then(session, action);
	}

	@Override
	public final void deliver(LiveFrame frame) {
		if (frame.isGap()) {
			// The broker will not bring it. What it has not brought yet is in the gap.
			deliverNow(frame);
		}
		else {
			this.late.add(frame);
		}
	}

	@Override
	public final boolean carry(Destination.SignalsTopic topic, byte[] json) {
		this.link.offer(new BrokerMessage(topic.toString(), 0, 0, json));
		return true;
	}

	/** A message of the broker as it goes to sessions. */
	final LiveFrame frame(Destination topic, BrokerMessage message) {
		return switch (topic) {
			case Destination.RoomTopic room ->
				LiveFrame.event(room, message.position(), message.prev(), message.json());
			case Destination.SignalsTopic signals -> LiveFrame.signal(signals, this.outbound.nextId(), message.json());
			default -> throw new IllegalArgumentException(topic + " is no topic");
		};
	}

	/** Hands what the broker has brought to all subscribers on this server. */
	final void deliverNow(LiveFrame frame) {
		this.hub.deliver(frame);
	}

}
