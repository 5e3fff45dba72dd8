package io.parley.server.delivery;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;
import io.parley.server.session.DeliveryThreadPool;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.Mockito;

import static org.assertj.core.api.Assertions.assertThat;

/** Counts the tasks that the delivery threads get. */
class HubTests {

	private static final Destination.RoomTopic ROOM = new Destination.RoomTopic("room");

	private static final Destination.RoomTopic OTHER = new Destination.RoomTopic("other");

	private final List<Tasks> threads = List.of(new Tasks(), new Tasks(), new Tasks());

	private final DeliveryThreadPool pool = Mockito.mock(DeliveryThreadPool.class);

	private Hub hub;

	@BeforeEach
	void start() {
		Mockito.when(this.pool.count()).thenReturn(this.threads.size());
		Mockito.when(this.pool.get(Mockito.anyInt()))
			.thenAnswer((call) -> this.threads.get(call.<Integer>getArgument(0)));
		this.hub = new Hub(this.pool);
	}

	/** A delivery thread whose tasks the test runs. */
	private static final class Tasks implements Executor {

		private final Queue<Runnable> tasks = new ArrayDeque<>();

		@Override
		public void execute(Runnable task) {
			this.tasks.add(task);
		}

		int run() {
			int count = this.tasks.size();
			this.tasks.forEach(Runnable::run);
			this.tasks.clear();
			return count;
		}

	}

	@Test
	void wakesNoThreadForARoomWithoutSubscription() {
		open(ROOM, 0);
		runAll();
		assertThat(this.hub.isOpen(OTHER)).isFalse();
		this.hub.deliver(LiveFrame.gap(OTHER, 1));
		assertThat(runAll()).isZero();
	}

	@Test
	void wakesOnlyTheThreadsOfTheSubscriptions() {
		TopicSubscription subscription = open(ROOM, 1);
		runAll();
		assertThat(this.hub.isOpen(ROOM)).isTrue();
		LiveFrame frame = LiveFrame.gap(ROOM, 1);
		this.hub.deliver(frame);
		assertThat(this.threads.stream().map(Tasks::run).toList()).containsExactly(0, 1, 0);
		Mockito.verify(subscription).deliver(frame);
	}

	@Test
	void deliversWhatComesBeforeTheThreadHasAddedTheSubscription() {
		TopicSubscription subscription = open(ROOM, 2);
		LiveFrame frame = LiveFrame.gap(ROOM, 1);
		this.hub.deliver(frame);
		runAll();
		Mockito.verify(subscription).deliver(frame);
	}

	@Test
	void wakesNoThreadAfterTheLastSubscriptionHasEnded() {
		TopicSubscription first = open(ROOM, 0);
		TopicSubscription second = open(ROOM, 0);
		this.hub.open(second);
		this.hub.close(first);
		this.hub.close(first);
		runAll();
		assertThat(this.hub.isOpen(ROOM)).isTrue();
		this.hub.close(second);
		runAll();
		assertThat(this.hub.isOpen(ROOM)).isFalse();
	}

	@Test
	void forgetsASubscriptionThatHasEndedBeforeItWasOpen() {
		TopicSubscription ended = open(ROOM, 0);
		Mockito.when(ended.ended()).thenReturn(true);
		this.hub.close(ended);
		runAll();
		assertThat(this.hub.isOpen(ROOM)).isFalse();
	}

	private TopicSubscription open(Destination topic, int thread) {
		ChatSession session = Mockito.mock(ChatSession.class);
		Mockito.when(session.deliveryThread()).thenReturn(thread);
		TopicSubscription subscription = Mockito.mock(TopicSubscription.class);
		Mockito.when(subscription.session()).thenReturn(session);
		Mockito.when(subscription.destination()).thenReturn(topic);
		this.hub.open(subscription);
		return subscription;
	}

	private int runAll() {
		return this.threads.stream().mapToInt(Tasks::run).sum();
	}

}
