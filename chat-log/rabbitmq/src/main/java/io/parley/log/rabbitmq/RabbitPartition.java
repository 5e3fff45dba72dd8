package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.rabbitmq.stream.Environment;
import io.parley.log.AppendRefusedException;
import io.parley.log.LogUnavailableException;

/**
 * One partition as used by this process: its appender, its tail consumer and its state.
 */
final class RabbitPartition {

	private static final Duration RECHECK_DELAY = Duration.ofSeconds(1);

	private final Environment environment;

	private final String stream;

	private final StreamLeader leader;

	private final RabbitPartitionState state = new RabbitPartitionState();

	private final UnreadBytes unreadBytes;

	private final InFlightLimit inFlight;

	private final RabbitAppender appender;

	private final TailConsumer tailConsumer;

	private final LossSuspicion suspicion = new LossSuspicion();

	private volatile boolean truncated;

	RabbitPartition(Environment environment, String stream, int partition, RabbitLogSettings settings,
			InFlightLimit inFlight, long writer) {
		this.environment = environment;
		this.stream = stream;
		this.leader = new StreamLeader(settings, stream);
		this.unreadBytes = new UnreadBytes(environment, stream, settings);
		this.inFlight = inFlight;
		this.appender = new RabbitAppender(environment, stream, settings, inFlight, writer);
		this.tailConsumer = new TailConsumer(environment, stream, partition, writer, this.state, this.unreadBytes,
				this.appender);
		StreamState streamState = StreamState.ask(environment, stream);
		this.state.startAt(streamState.start());
		this.tailConsumer.start(streamState);
	}

	void awaitEnd() {
		this.tailConsumer.awaitEnd();
	}

	String stream() {
		return this.stream;
	}

	/** Returns the readers that have caught up with the tail consumer. */
	TailReaders tailReaders() {
		return this.tailConsumer.readers();
	}

	RabbitPartitionState state() {
		return this.state;
	}

	RabbitAppender appender() {
		return this.appender;
	}

	/** Appends a record, unless it would make the broker remove unread records. */
	CompletableFuture<Long> append(byte[] record) {
		return this.unreadBytes.unavailableReason(this.inFlight.bytes())
			.map((reason) -> CompletableFuture.<Long>failedFuture(new AppendRefusedException(reason)))
			.orElseGet(() -> this.appender.append(record));
	}

	/**
	 * Returns why an append would be refused now, or would wait for a confirmation in
	 * vain.
	 */
	Optional<String> unavailableReason() {
		return this.appender.unavailableReason().or(() -> this.unreadBytes.unavailableReason(0));
	}

	/** Notes that every reader has read everything below an offset. */
	void readTo(long offset) {
		this.unreadBytes.readTo(Math.max(offset, this.state.start()));
	}

	UnreadBytes unreadBytes() {
		return this.unreadBytes;
	}

	/**
	 * Asks the broker where the stream begins, and replaces what the client has given up.
	 * @return false if the stream is certainly not the one that was read before: it was
	 * deleted, or ends before records that were read from it
	 */
	boolean check() {
		return !this.truncated && !this.suspicion.isCertainAfter(this::isTheSame);
	}

	private boolean isTheSame() {
		// Read before the broker is asked: while it answers, records arrive that its
		// answer does not include.
		long read = this.tailConsumer.newestChunk();
		StreamState streamState = StreamState.ask(this.environment, this.stream);
		if (streamState.newestChunk() < read && this.leader.ask().newestChunk() < read) {
			return false;
		}
		this.state.startAt(streamState.start());
		this.unreadBytes.update();
		this.appender.revive();
		this.tailConsumer.revive();
		return true;
	}

	/**
	 * Checks that the stream reaches an offset below which a reader has committed
	 * everything. It does not if a single node has lost its last records in a power
	 * failure: new records would then reuse their offsets, and the reader would skip
	 * them.
	 */
	void requireAllBelow(long offset) throws InterruptedException {
		if (offset <= end()) {
			return;
		}
		Thread.sleep(RECHECK_DELAY);
		long end = Math.max(end(), this.leader.ask().end());
		if (offset > end) {
			this.truncated = true;
			throw new LogUnavailableException("Stream " + this.stream + " ends at " + end
					+ ", but a reader has read up to " + offset + ": records were lost, a new log must begin");
		}
	}

	private long end() {
		return Math.max(this.state.end(), StreamState.ask(this.environment, this.stream).end());
	}

}
