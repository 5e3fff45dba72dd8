package io.parley.log.rabbitmq;

import java.util.Map;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.NoOffsetException;
import com.rabbitmq.stream.StreamStats;

/**
 * The state of a stream, as reported by the broker.
 *
 * @param start the offset of the oldest record
 * @param newestChunk the offset of the first record in the newest chunk, -1 if the stream
 * is empty
 * @param end the offset after the newest record; brokers before 4.3 report only the
 * newest chunk, so there may be more records
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

	/**
	 * Returns the state from the statistics of a node, as named in the protocol; -1 means
	 * none.
	 */
	static StreamState of(Map<String, Long> stats) {
		long newestChunk = stats.getOrDefault("committed_chunk_id", -1L);
		long newest = Math.max(newestChunk, stats.getOrDefault("committed_offset", -1L));
		return (newestChunk < 0) ? EMPTY
				: new StreamState(stats.getOrDefault("first_chunk_id", 0L), newestChunk, newest + 1);
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
