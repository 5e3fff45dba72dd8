package io.parley.log.rabbitmq;

import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.stream.ConsumerFlowStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Asks for the next chunk as soon as one comes, and remembers where the newest one begins
 * and ends: records come one by one, but the broker speaks of chunks.
 */
final class ChunkFlow implements ConsumerFlowStrategy {

	private static final int CHUNKS = 10;

	/** Around a record in the stream. */
	private static final int RECORD_BYTES = 16;

	/** Around the records of a chunk. */
	private static final int CHUNK_BYTES = 96;

	private final AtomicInteger unmeasured = new AtomicInteger();

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

	/**
	 * How many bytes the stream has for a message, with those of the chunks that have
	 * come since the last one.
	 * @param envelope what the message holds, null when it is not from a log
	 */
	int size(@Nullable Envelope envelope) {
		return ((envelope != null) ? envelope.size() : 0) + RECORD_BYTES + this.unmeasured.getAndSet(0) * CHUNK_BYTES;
	}

	@Override
	public int initialCredits() {
		return CHUNKS;
	}

	@Override
	public MessageProcessedCallback start(Context chunk) {
		this.end = Math.max(this.end, chunk.chunkId() + chunk.messageCount());
		this.newest = Math.max(this.newest, chunk.chunkId());
		this.unmeasured.incrementAndGet();
		chunk.credits(1);
		return (message) -> {
		};
	}

}
