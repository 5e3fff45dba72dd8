package io.parley.log.rabbitmq;

import java.util.concurrent.CompletableFuture;

/** A record that was handed to the stream client and not yet seen in the stream. */
final class RabbitPendingAppend {

	private final int bytes;

	private final long deadline;

	private final CompletableFuture<Long> confirm = new CompletableFuture<>();

	private boolean answered;

	private boolean expired;

	/**
	 * Begins to wait.
	 * @param deadline by {@link System#nanoTime}
	 */
	RabbitPendingAppend(int bytes, long deadline) {
		this.bytes = bytes;
		this.deadline = deadline;
	}

	int bytes() {
		return this.bytes;
	}

	CompletableFuture<Long> confirm() {
		return this.confirm;
	}

	boolean isDue(long now) {
		return this.deadline - now <= 0;
	}

	/**
	 * The client does not hold the record any more.
	 * @return whether nobody waits for the record either
	 */
	synchronized boolean answer() {
		this.answered = true;
		return this.expired;
	}

	/**
	 * Nobody waits for the record any more.
	 * @return whether the client does not hold it either
	 */
	synchronized boolean expire() {
		this.expired = true;
		return this.answered;
	}

}
