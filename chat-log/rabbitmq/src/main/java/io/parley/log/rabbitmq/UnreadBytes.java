package io.parley.log.rabbitmq;

import java.util.Optional;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much of a partition the slowest reader has not read. The broker removes the oldest
 * segments by size and age, read or not, when it begins a new one; so appends are refused
 * before something unread could be among them.
 *
 * <p>
 * What comes while this process runs is counted as it comes. What was left unread before
 * is read once in the background; until that is through, the rest of it is estimated.
 */
final class UnreadBytes {

	private static final Logger logger = LoggerFactory.getLogger(UnreadBytes.class);

	/** How exact the marks are: so much of a segment, or of the greatest age. */
	private static final int SHARE = 100;

	private final Environment environment;

	private final String stream;

	private final RabbitLogSettings settings;

	private final ByteIndex recent;

	private @Nullable ByteIndex older;

	private @Nullable Consumer counting;

	private volatile boolean lost;

	/** What every reader has read is below; -1 before somebody has told. */
	private volatile long below = -1;

	private volatile long recentRead;

	private volatile long olderUnread;

	private volatile long oldest = Long.MAX_VALUE;

	UnreadBytes(Environment environment, String stream, RabbitLogSettings settings) {
		this.environment = environment;
		this.stream = stream;
		this.settings = settings;
		this.recent = stretch();
	}

	private ByteIndex stretch() {
		return new ByteIndex(this.settings.segmentBytes() / SHARE, this.settings.maxAge().dividedBy(SHARE));
	}

	/** The newest record was seen. Called by one thread at a time. */
	void seen(long offset, int size, long time) {
		this.recent.add(offset, size, time);
	}

	/**
	 * Every reader has read what is below an offset; a lower one than before changes
	 * nothing.
	 */
	synchronized void readTo(long offset) {
		this.below = Math.max(this.below, offset);
		look();
	}

	/** Takes over what was counted in the background, and goes on with it. */
	synchronized void look() {
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
		ByteIndex counted = (this.older != null) ? this.older : stretch();
		this.older = counted;
		if (counted.next() >= origin) {
			stopCounting();
		}
		else if (this.counting == null || this.lost) {
			try {
				this.counting = read(Math.max(counted.next(), this.below), origin, counted);
				this.lost = false;
			}
			catch (StreamException | IllegalStateException ex) {
				logger.debug("What is unread in {} can't be counted now: {}", this.stream, ex.getMessage());
			}
		}
		return counted;
	}

	private Consumer read(long from, long to, ByteIndex counted) {
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
			.listeners((change) -> this.lost = change.currentState() == Resource.State.CLOSED)
			.build();
	}

	private void stopCounting() {
		if (this.counting != null) {
			this.counting.close();
			this.counting = null;
		}
	}

	/**
	 * Why an append is refused, empty when it is not. Beside what is unread the broker
	 * counts what is below it in the same segment; one more segment is for this record
	 * and for what other processes have under way.
	 * @param underWay how many bytes this process has sent that are not seen yet
	 */
	Optional<String> refusal(long underWay) {
		long room = this.settings.maxLengthBytes() - 2 * this.settings.segmentBytes();
		if (bytes() + underWay > room) {
			return Optional.of(refused(this.settings.maxLengthBytes() + " bytes"));
		}
		if (age() > this.settings.maxAge().toMillis() / 10 * 9) {
			return Optional.of(refused(this.settings.maxAge().toString()));
		}
		return Optional.empty();
	}

	private String refused(String bound) {
		return "Stream " + this.stream + " is full of records that a worker has not read: RabbitMQ keeps " + bound
				+ " of it and would remove them unread. The record is not in the log. Find the worker that stands"
				+ " still; appends go on by themselves when it has caught up";
	}

	/** Whether unread records take half of the room or of the time that there is. */
	boolean isMuch() {
		return bytes() > this.settings.maxLengthBytes() / 2 || age() > this.settings.maxAge().toMillis() / 2;
	}

	/**
	 * About how many bytes are unread, rather more than less; 0 before somebody has told.
	 */
	long bytes() {
		return (this.below < 0) ? 0 : this.olderUnread + this.recent.bytes() - this.recentRead;
	}

	/** How old the oldest unread record is at the most, in milliseconds. */
	private long age() {
		long since = this.oldest;
		return (since == Long.MAX_VALUE) ? 0 : System.currentTimeMillis() - since;
	}

}
