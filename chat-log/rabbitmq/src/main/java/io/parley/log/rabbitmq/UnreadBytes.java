package io.parley.log.rabbitmq;

import java.util.Optional;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.StreamException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tracks how much of a partition the slowest reader has not read. The broker removes the
 * oldest segments by size and age, read or not, when it begins a new one; appends are
 * therefore refused before unread records could be removed.
 *
 * <p>
 * Records that arrive while this process runs are counted as they arrive. Older unread
 * records are read once in the background; until that is done, the rest of them is
 * estimated.
 */
final class UnreadBytes {

	private static final Logger logger = LoggerFactory.getLogger(UnreadBytes.class);

	/** The precision of the marks: one hundredth of a segment, or of the maximum age. */
	private static final int SHARE = 100;

	private final Environment environment;

	private final String stream;

	private final RabbitLogSettings settings;

	private final ByteIndex recent;

	private @Nullable ByteIndex older;

	private @Nullable Consumer counter;

	private @Nullable ResourceState counterState;

	/** Every reader has read everything below this offset; -1 until it was reported. */
	private volatile long below = -1;

	private volatile long recentRead;

	private volatile long olderUnread;

	private volatile long oldest = Long.MAX_VALUE;

	UnreadBytes(Environment environment, String stream, RabbitLogSettings settings) {
		this.environment = environment;
		this.stream = stream;
		this.settings = settings;
		this.recent = newIndex();
	}

	private ByteIndex newIndex() {
		return new ByteIndex(this.settings.segmentBytes() / SHARE, this.settings.maxAge().dividedBy(SHARE));
	}

	/** Adds the newest record. Called by one thread at a time. */
	void add(long offset, int size, long time) {
		this.recent.add(offset, size, time);
	}

	/**
	 * Notes that every reader has read everything below an offset; an offset lower than
	 * before has no effect.
	 */
	synchronized void readTo(long offset) {
		this.below = Math.max(this.below, offset);
		update();
	}

	/** Applies what was counted in the background, and continues counting. */
	synchronized void update() {
		long origin = this.recent.first();
		if (this.below < 0 || origin < 0) {
			return;
		}
		if (this.below < origin) {
			ByteIndex counted = count(origin);
			double each = Math.max(counted.bytesPerOffset(), this.recent.bytesPerOffset());
			this.olderUnread = counted.bytes() - counted.bytesBelow(this.below)
					+ (long) ((origin - Math.max(counted.next(), this.below)) * each);
			this.oldest = counted.time(this.below);
		}
		else {
			stopCounting();
			this.older = null;
			this.olderUnread = 0;
			this.oldest = this.recent.time(this.below);
		}
		this.recentRead = this.recent.bytesBelow(this.below);
	}

	private ByteIndex count(long origin) {
		ByteIndex counted = (this.older != null) ? this.older : newIndex();
		this.older = counted;
		if (counted.next() >= origin) {
			stopCounting();
		}
		else if (this.counterState == null || this.counterState.isClosed()) {
			try {
				ResourceState state = new ResourceState();
				this.counter = read(Math.max(counted.next(), this.below), origin, counted, state);
				this.counterState = state;
			}
			catch (StreamException | IllegalStateException ex) {
				logger.debug("The unread records of {} can't be counted now: {}", this.stream, ex.getMessage());
			}
		}
		return counted;
	}

	private Consumer read(long from, long to, ByteIndex counted, ResourceState state) {
		ChunkFlow flow = new ChunkFlow();
		return this.environment.consumerBuilder()
			.stream(this.stream)
			.offset(OffsetSpecification.offset(from))
			.flow()
			.strategy(flow)
			.builder()
			.messageHandler((context, message) -> {
				if (context.offset() < to) {
					counted.add(context.offset(), flow.size(Envelope.of(message)), context.timestamp());
				}
			})
			.listeners(state)
			.build();
	}

	private void stopCounting() {
		if (this.counter != null) {
			this.counter.close();
			this.counter = null;
			this.counterState = null;
		}
	}

	/**
	 * Returns why an append is refused, or empty. Besides the unread records the broker
	 * counts the read ones in the same segment; one more segment is reserved for this
	 * record and for what other processes have in flight.
	 * @param inFlight how many bytes this process has sent that were not seen yet
	 */
	Optional<String> unavailableReason(long inFlight) {
		long room = this.settings.maxLengthBytes() - 2 * this.settings.segmentBytes();
		if (bytes() + inFlight > room) {
			return Optional.of(fullMessage(this.settings.maxLengthBytes() + " bytes"));
		}
		if (age() > this.settings.maxAge().toMillis() / 10 * 9) {
			return Optional.of(fullMessage(this.settings.maxAge().toString()));
		}
		return Optional.empty();
	}

	private String fullMessage(String bound) {
		return "Stream " + this.stream + " is full of records that a worker has not read: RabbitMQ keeps " + bound
				+ " of it and would remove unread records. The record is not in the log. Find the worker that has"
				+ " stopped; appends resume when it has caught up";
	}

	/** Returns whether unread records take half of the available space or time. */
	boolean isAtRisk() {
		return bytes() > this.settings.maxLengthBytes() / 2 || age() > this.settings.maxAge().toMillis() / 2;
	}

	/**
	 * Returns approximately how many bytes are unread, overestimated rather than
	 * underestimated; 0 until the offset of the readers was reported.
	 */
	long bytes() {
		return (this.below < 0) ? 0 : this.olderUnread + this.recent.bytes() - this.recentRead;
	}

	/** Returns the maximum age of the oldest unread record, in milliseconds. */
	private long age() {
		long since = this.oldest;
		return (since == Long.MAX_VALUE) ? 0 : System.currentTimeMillis() - since;
	}

}
