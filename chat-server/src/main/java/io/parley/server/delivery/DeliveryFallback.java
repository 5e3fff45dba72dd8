package io.parley.server.delivery;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;

/**
 * Keeps the frames that this server has read from the log until the broker should have
 * delivered them. Then delivers them itself; a subscription sends only what it has
 * missed.
 */
class DeliveryFallback {

	private static final Duration DELAY = Duration.ofSeconds(2);

	private static final long TICK_MILLIS = 250;

	private final Deque<Waiting> waiting = new ArrayDeque<>();

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("late-events").factory());

	private final Counter lateDeliveries;

	private final Consumer<LiveFrame> delivery;

	DeliveryFallback(Consumer<LiveFrame> delivery, MeterRegistry meters) {
		this.delivery = delivery;
		this.lateDeliveries = meters.counter("chat.relay.late");
	}

	private record Waiting(LiveFrame frame, long due) {
	}

	@PostConstruct
	void start() {
		this.clock.scheduleAtFixedRate(() -> deliverDue(System.nanoTime()), TICK_MILLIS, TICK_MILLIS,
				TimeUnit.MILLISECONDS);
	}

	@PreDestroy
	void stop() {
		this.clock.shutdown();
	}

	synchronized void add(LiveFrame frame) {
		this.waiting.addLast(new Waiting(frame.countingUse(this.lateDeliveries), System.nanoTime() + DELAY.toNanos()));
	}

	/** Delivers all frames without waiting for the broker any longer. */
	synchronized void deliverAll() {
		deliverDue(Long.MAX_VALUE);
	}

	private synchronized void deliverDue(long now) {
		for (Waiting first = this.waiting.peek(); first != null
				&& (now == Long.MAX_VALUE || first.due() - now <= 0); first = this.waiting.peek()) {
			this.delivery.accept(this.waiting.remove().frame());
		}
	}

}
