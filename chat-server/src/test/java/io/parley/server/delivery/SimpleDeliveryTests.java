package io.parley.server.delivery;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.messaging.simp.SimpMessageType;

import static org.assertj.core.api.Assertions.assertThat;

class SimpleDeliveryTests {

	private final List<String> steps = new CopyOnWriteArrayList<>();

	private final CountDownLatch subscribing = new CountDownLatch(1);

	private final CountDownLatch mayEnd = new CountDownLatch(1);

	private final SimpleDelivery delivery = new SimpleDelivery(this::handle, Mockito.mock(SessionRegistry.class));

	private final TopicSubscription subscription = new TopicSubscription(session(), "s1",
			new Destination.RoomTopic("r1"), this.delivery);

	private static ChatSession session() {
		ChatSession session = Mockito.mock(ChatSession.class);
		Mockito.when(session.id()).thenReturn("1");
		return session;
	}

	/** Acts as a broker that does not complete a SUBSCRIBE before it may. */
	private void handle(Message<?> message) {
		if (SimpMessageHeaderAccessor.getMessageType(message.getHeaders()) != SimpMessageType.SUBSCRIBE) {
			this.steps.add("removed");
			return;
		}
		this.subscribing.countDown();
		try {
			this.mayEnd.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		this.steps.add("added");
	}

	@Test
	void removesASubscriptionThatEndsWhileItIsAddedAfterwards() throws Exception {
		Thread opens = Thread.ofPlatform().start(() -> this.delivery.open(this.subscription));
		this.subscribing.await();
		Thread ends = Thread.ofPlatform().start(this.subscription::end);
		Awaitility.await()
			.until(() -> ends.getState() == Thread.State.BLOCKED || ends.getState() == Thread.State.TERMINATED);
		this.mayEnd.countDown();
		assertThat(opens.join(Duration.ofSeconds(10))).isTrue();
		assertThat(ends.join(Duration.ofSeconds(10))).isTrue();
		assertThat(this.steps).containsExactly("added", "removed");
	}

	@Test
	void doesNotAddASubscriptionThatHasEnded() {
		this.mayEnd.countDown();
		this.subscription.end();
		this.delivery.open(this.subscription);
		assertThat(this.steps).containsExactly("removed");
	}

}
