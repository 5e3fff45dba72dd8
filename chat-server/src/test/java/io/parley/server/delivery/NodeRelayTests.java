package io.parley.server.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parley.events.Destination;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.LinkSubscription;
import io.parley.server.session.ChatSession;
import io.parley.server.session.OutboundFrames;
import org.junit.jupiter.api.Test;
import org.mockito.BDDMockito;
import org.mockito.Mockito;

import org.springframework.context.ApplicationEventPublisher;

/**
 * The node subscribes to a topic at the broker once, while at least one local session is
 * subscribed to it.
 */
class NodeRelayTests {

	private static final Destination TOPIC = new Destination.RoomTopic("room");

	private final BrokerLink link = Mockito.mock(BrokerLink.class);

	private final LinkSubscription atTheBroker = Mockito.mock(LinkSubscription.class);

	private final Hub hub = Mockito.mock(Hub.class);

	private final NodeRelay relay = new NodeRelay(this.hub,
			new DeliveryFallback(this.hub::deliver, new SimpleMeterRegistry()), this.link,
			Mockito.mock(OutboundFrames.class), Mockito.mock(ApplicationEventPublisher.class));

	NodeRelayTests() {
		BDDMockito.given(this.link.subscribe(Mockito.eq(TOPIC.toString()), Mockito.any())).willReturn(this.atTheBroker);
	}

	@Test
	void unsubscribesFromATopicWithItsLastSubscriber() {
		TopicSubscription first = subscription();
		TopicSubscription second = subscription();
		this.relay.subscribe(first);
		this.relay.subscribe(second);
		this.relay.unsubscribe(first);
		this.relay.unsubscribe(first);
		Mockito.verify(this.atTheBroker, Mockito.never()).end();
		this.relay.unsubscribe(second);
		Mockito.verify(this.atTheBroker).end();
		Mockito.verify(this.link).subscribe(Mockito.any(), Mockito.any());
	}

	@Test
	void staysSubscribedToATopicWhenOthersAreRefused() {
		this.relay.subscribe(subscription());
		for (int i = 0; i < 10; i++) {
			this.relay.unsubscribe(subscription());
		}
		Mockito.verify(this.atTheBroker, Mockito.never()).end();
	}

	@Test
	void ignoresASubscriptionThatEndsBeforeItIsOpened() {
		TopicSubscription ended = subscription();
		BDDMockito.given(ended.ended()).willReturn(true);
		this.relay.unsubscribe(ended);
		this.relay.subscribe(ended);
		Mockito.verify(this.link, Mockito.never()).subscribe(Mockito.any(), Mockito.any());
		TopicSubscription open = subscription();
		this.relay.subscribe(open);
		this.relay.subscribe(ended);
		this.relay.unsubscribe(open);
		Mockito.verify(this.atTheBroker).end();
	}

	@Test
	void countsCorrectlyUnderConcurrentSubscriptions() throws Exception {
		TopicSubscription stays = subscription();
		this.relay.subscribe(stays);
		try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
			List<Future<?>> all = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				all.add(threads.submit(() -> {
					TopicSubscription one = subscription();
					this.relay.unsubscribe(one);
					this.relay.subscribe(one);
					this.relay.unsubscribe(one);
				}));
			}
			for (Future<?> one : all) {
				one.get();
			}
		}
		Mockito.verify(this.atTheBroker, Mockito.never()).end();
		this.relay.unsubscribe(stays);
		Mockito.verify(this.atTheBroker).end();
	}

	private static TopicSubscription subscription() {
		TopicSubscription subscription = Mockito.mock(TopicSubscription.class);
		BDDMockito.given(subscription.destination()).willReturn(TOPIC);
		BDDMockito.given(subscription.session()).willReturn(Mockito.mock(ChatSession.class));
		return subscription;
	}

}
