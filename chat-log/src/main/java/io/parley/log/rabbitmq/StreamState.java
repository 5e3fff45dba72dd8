package io.parley.log.rabbitmq;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.NoOffsetException;
import com.rabbitmq.stream.StreamStats;

/**
 * What the broker says about a stream.
 *
 * @param start the offset of the oldest record
 * @param newestChunk the offset of the first record in the newest chunk, -1 when the
 * stream is empty
 * @param end the offset after the newest record; brokers before 4.3 know only the newest
 * chunk, so there may be more records then
 */
record StreamState(long start, long newestChunk, long end) {

	private static final StreamState EMPTY = new StreamState(0, -1, 0);

	static StreamState ask(Environment environment, String stream) {
		StreamStats stats = environment.queryStreamStats(stream);
		try {
			return new StreamState(stats.firstOffset(), stats.committedChunkId(), newest(stats) + 1);
		}
		catch (NoOffsetException ex) {
			return EMPTY;
		}
	}

	private static long newest(StreamStats stats) {
		try {
			return stats.committedOffset();
		}
		catch (NoOffsetException ex) {
			return stats.committedChunkId();
		}
	}

	boolean isEmpty() {
		return this.newestChunk < 0;
	}

}
