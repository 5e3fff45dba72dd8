package io.parley.server.session;

import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

import jakarta.annotation.PreDestroy;

import org.springframework.stereotype.Component;

/**
 * The threads that write to the sockets, one for each processor. Each session belongs to
 * one thread for its whole life. A thread runs its tasks in the order in which they were
 * submitted. While it adds several events to the outboxes, frames gather there and are
 * then written together. Tasks must not block.
 */
@Component
public class DeliveryThreadPool {

	private final List<DeliveryThread> threads;

	DeliveryThreadPool() {
		this.threads = IntStream.range(0, Runtime.getRuntime().availableProcessors())
			.mapToObj((i) -> new DeliveryThread("delivery-" + i))
			.toList();
	}

	/** Returns the number of threads. */
	public int count() {
		return this.threads.size();
	}

	/**
	 * Returns a thread by its index, from 0. It runs tasks in the order in which they
	 * were submitted.
	 */
	public Executor get(int thread) {
		return this.threads.get(thread);
	}

	/** Returns the executor of the writes of a session. */
	Executor writer(int thread) {
		return this.threads.get(thread)::write;
	}

	/** Returns the index of the thread of a session. */
	int of(String sessionId) {
		return Math.floorMod(sessionId.hashCode(), count());
	}

	@PreDestroy
	void stop() {
		this.threads.forEach(DeliveryThread::stop);
	}

}
