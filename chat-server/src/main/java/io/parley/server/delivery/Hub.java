package io.parley.server.delivery;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;
import io.parley.server.session.DeliveryThreadPool;

/**
 * {@code chat.broker.mode=bus}: frames go directly from the log to the outboxes. Each
 * delivery thread knows the subscriptions of its own sessions and passes them their
 * frames, so only the subscription itself needs a lock.
 */
class Hub implements LiveDelivery {

	private final List<Shard> shards;

	Hub(DeliveryThreadPool threads) {
		this.shards = IntStream.range(0, threads.count()).mapToObj((i) -> new Shard(threads.get(i))).toList();
	}

	@Override
	public CompletableFuture<Void> open(TopicSubscription subscription) {
		shard(subscription).open(subscription);
		return OPEN;
	}

	@Override
	public void close(TopicSubscription subscription) {
		shard(subscription).close(subscription);
	}

	@Override
	public void afterDelivered(ChatSession session, Runnable action) {
		this.shards.get(session.deliveryThread()).thread.execute(action);
	}

	@Override
	public boolean isOpen(Destination topic) {
		return this.shards.stream().anyMatch((shard) -> shard.isOpen(topic));
	}

	/** Wakes only the threads that serve a subscription to the topic. */
	@Override
	public void deliver(LiveFrame frame) {
		for (Shard shard : this.shards) {
			if (shard.isOpen(frame.topic())) {
				shard.deliver(frame);
			}
		}
	}

	private Shard shard(TopicSubscription subscription) {
		return this.shards.get(subscription.session().deliveryThread());
	}

	/** The subscriptions that one thread serves. */
	private static final class Shard {

		/**
		 * Maximum number of queued frames. A thread that cannot keep up blocks the
		 * readers of the log.
		 */
		private static final int MAX_QUEUED = 1_000;

		private final Executor thread;

		private final Semaphore space = new Semaphore(MAX_QUEUED);

		/**
		 * The number of subscriptions to each topic that are in {@link #topics} or about
		 * to be added. Counted before the thread adds them, so that the thread gets
		 * everything that is delivered after {@link #open}.
		 */
		private final Map<Destination, Integer> open = new ConcurrentHashMap<>();

		/** Used by the thread only. */
		private final Map<Destination, Set<TopicSubscription>> topics = new HashMap<>();

		Shard(Executor thread) {
			this.thread = thread;
		}

		/**
		 * Adds a subscription, unless it has ended meanwhile: then its end has already
		 * been handled.
		 */
		void open(TopicSubscription subscription) {
			this.open.merge(subscription.destination(), 1, Integer::sum);
			this.thread.execute(() -> {
				if (subscription.ended()
						|| !this.topics.computeIfAbsent(subscription.destination(), (topic) -> new LinkedHashSet<>())
							.add(subscription)) {
					forget(subscription.destination());
				}
			});
		}

		void close(TopicSubscription subscription) {
			this.thread.execute(() -> this.topics.computeIfPresent(subscription.destination(), (topic, all) -> {
				if (all.remove(subscription)) {
					forget(topic);
				}
				return all.isEmpty() ? null : all;
			}));
		}

		private void forget(Destination topic) {
			this.open.computeIfPresent(topic, (key, count) -> (count > 1) ? count - 1 : null);
		}

		boolean isOpen(Destination topic) {
			return this.open.containsKey(topic);
		}

		void deliver(LiveFrame frame) {
			this.space.acquireUninterruptibly();
			this.thread.execute(() -> {
				this.space.release();
				for (TopicSubscription subscription : this.topics.getOrDefault(frame.topic(), Set.of())) {
					subscription.deliver(frame);
				}
			});
		}

	}

}
