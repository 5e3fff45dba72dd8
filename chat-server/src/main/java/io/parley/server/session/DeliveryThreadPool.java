package io.parley.server.session;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

import jakarta.annotation.PreDestroy;

import org.springframework.stereotype.Component;

/**
 * The threads that write to the sockets, one for each processor. Each session belongs to
 * one of them for life. What waits for a thread runs in the order in which it came, so
 * while it hands several events to the outboxes, the frames gather and are written
 * together afterwards. Nothing that runs here may wait.
 */
@Component
public class DeliveryThreadPool {

	private final List<DeliveryThread> threads;

	DeliveryThreadPool() {
		this.threads = IntStream.range(0, Runtime.getRuntime().availableProcessors())
			.mapToObj((i) -> new DeliveryThread("delivery-" + i))
			.toList();
	}

	/** How many there are. */
	public int count() {
		return this.threads.size();
	}

	/** One of them, from 0: runs what it is given in that order. */
	public Executor get(int thread) {
		return this.threads.get(thread);
	}

	/** What writes for a session. */
	Executor writer(int thread) {
		return this.threads.get(thread)::write;
	}

	/** The thread of a session. */
	int of(String sessionId) {
		return Math.floorMod(sessionId.hashCode(), count());
	}

	@PreDestroy
	void stop() {
		this.threads.forEach(DeliveryThread::stop);
	}

}
