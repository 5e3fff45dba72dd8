package io.parley.log.rabbitmq;

/** The range of readable offsets of a partition, as known to this process. */
final class RabbitPartitionState {

	private volatile long start;

	private volatile long end;

	long start() {
		return this.start;
	}

	long end() {
		return this.end;
	}

	void startAt(long offset) {
		this.start = offset;
	}

	/** Advances the end; never moves it back. Called by one thread at a time. */
	void endAt(long offset) {
		if (offset > this.end) {
			this.end = offset;
		}
	}

}
