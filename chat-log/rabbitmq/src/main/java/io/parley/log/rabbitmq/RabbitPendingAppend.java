package io.parley.log.rabbitmq;

import java.util.concurrent.CompletableFuture;

/** A record that was passed to the stream client and not seen in the stream yet. */
final class RabbitPendingAppend {

	private final int bytes;

	private final long deadline;

	private final CompletableFuture<Long> confirm = new CompletableFuture<>();

	private boolean answered;

	private boolean expired;

	/**
	 * Creates the append.
	 * @param deadline in terms of {@link System#nanoTime}
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
	 * Notes that the client no longer holds the record.
	 * @return whether the caller no longer waits for it either
	 */
	synchronized boolean answer() {
		this.answered = true;
		return this.expired;
	}

	/**
	 * Notes that the caller no longer waits for the record.
	 * @return whether the client no longer holds it either
	 */
	synchronized boolean expire() {
		this.expired = true;
		return this.answered;
	}

}
