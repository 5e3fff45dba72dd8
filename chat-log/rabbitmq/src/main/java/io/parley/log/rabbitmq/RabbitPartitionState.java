package io.parley.log.rabbitmq;

/** Which offsets of a partition can be read, as far as this process knows. */
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

	/** Called by one thread at a time; never goes back. */
	void endAt(long offset) {
		if (offset > this.end) {
			this.end = offset;
		}
	}

}
