package io.parley.log.rabbitmq;

import java.util.concurrent.atomic.AtomicInteger;

import com.rabbitmq.stream.ConsumerFlowStrategy;
import org.jspecify.annotations.Nullable;

/**
 * Requests further chunks before the requested ones are used up, and tracks where the
 * newest chunk begins and ends: records are delivered one by one, but the broker reports
 * chunks.
 */
final class ChunkFlow implements ConsumerFlowStrategy {

	private static final int CHUNKS = 10;

	/**
	 * How many chunks one request asks for. With few messages each message is a chunk,
	 * and a request for each would be as many frames as there are messages.
	 */
	private static final int CHUNKS_PER_REQUEST = CHUNKS / 2;

	/** The overhead of a record in the stream. */
	private static final int RECORD_BYTES = 16;

	/** The overhead of a chunk. */
	private static final int CHUNK_BYTES = 96;

	private final AtomicInteger started = new AtomicInteger();

	private final AtomicInteger unmeasured = new AtomicInteger();

	private volatile long newest = -1;

	private volatile long end;

	/**
	 * Returns the offset of the first record in the newest chunk, -1 before the first
	 * chunk.
	 */
	long newest() {
		return this.newest;
	}

	/** Returns the offset after the last record in the newest chunk. */
	long end() {
		return this.end;
	}

	/**
	 * Returns how many bytes a message takes in the stream, including the overhead of the
	 * chunks that have arrived since the last message.
	 * @param envelope the content of the message, null if it is not from a log
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
		if (this.started.incrementAndGet() % CHUNKS_PER_REQUEST == 0) {
			chunk.credits(CHUNKS_PER_REQUEST);
		}
		return (message) -> {
		};
	}

}
