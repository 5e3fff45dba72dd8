package io.parley.log.rabbitmq;

import com.rabbitmq.stream.ConsumerFlowStrategy;

/**
 * Asks for the next chunk as soon as one comes, and remembers where the newest one begins
 * and ends: records come one by one, but the broker speaks of chunks.
 */
final class ChunkFlow implements ConsumerFlowStrategy {

	private static final int CHUNKS = 10;

	private volatile long newest = -1;

	private volatile long end;

	/** The offset of the first record in the newest chunk, -1 before there was one. */
	long newest() {
		return this.newest;
	}

	/** The offset after the last record in the newest chunk. */
	long end() {
		return this.end;
	}

	@Override
	public int initialCredits() {
		return CHUNKS;
	}

	@Override
	public MessageProcessedCallback start(Context chunk) {
		this.end = Math.max(this.end, chunk.chunkId() + chunk.messageCount());
		this.newest = Math.max(this.newest, chunk.chunkId());
		chunk.credits(1);
		return (message) -> {
		};
	}

}
